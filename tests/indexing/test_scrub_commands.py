"""Passwords given to programs and calls by their place."""

import pytest

from indexing.scrub import scrub

PASSWORD = "Kx7!vr" + "Qp2mWz"
PLACES = [
    "mysql -h db -u root -p{} shop",
    "mysqldump --user=root -p{} shop > a.sql",
    "mysql -p{} shop",
    "redis-cli -h cache -a {} ping",
    "redis-cli -a {} ping",
    "sshpass -p '{}' ssh ops@10.0.0.1",
    "docker login -u ann -p {} registry.kite.net",
    "curl https://kite.net/x \\\n  -u 'ann:{}' \\\n  -d @x",
    "lftp -u ann,{} ftp.kite.net",
    "smbclient //srv/share -U ann%{}",
    "plink -ssh ann@kite -pw {} ls",
    "ldapsearch -x -D cn=admin -w {} -b dc=kite",
    "ldapsearch -w {} -b dc=kite",
    "mongosh db -u ann -p {}",
    "mongosh -p {} -u ann",
    "htpasswd -bc /etc/x ann {}",
    "htpasswd -nb ann {}",
    "net use Z: \\\\srv\\share /user:KITE\\ann {}",
    "openssl rsa -passin pass:{} -in key",
    "sqlplus scott/{}@db",
    "jdbc:oracle:thin:scott/{}@//db:1521/ORCL",
    'sql.Open("mysql", "ann:{}@tcp(10.0.0.3:3306)/shop")',
    "CREATE USER 'ann'@'%' IDENTIFIED BY '{}';",
    "CREATE USER ann IDENTIFIED WITH sha256_password BY '{}';",
    "CREATE USER ann WITH PASSWORD '{}';",
    'ConvertTo-SecureString "{}" -AsPlainText -Force',
    'new NetworkCredential("ann", "{}")',
    "requests.get(u, auth=('ann', '{}'))",
    'req.SetBasicAuth("ann", "{}")',
    'Credentials.basic("ann", "{}")',
    "db.kite.net:5432:app:ann:{}",
    'ftpPass = "{}"',
    "root_pw: {}",
    "set $password {};",
    'Dim dbPassword As String = "{}"',
    "The password is {}.",
    "a senha é {}",
    "log in as ann with password {}",
    "contraseña: {}",
    "mot_de_passe = '{}'",
]


@pytest.mark.parametrize("place", PLACES)
def test_a_password_is_found_where_one_belongs(place: str) -> None:
    assert PASSWORD not in scrub("docs/a.md", place.format(PASSWORD) + "\n").text


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("value", ["$PASSWORD", "${DB_PASSWORD}", "<password>", "changeme"])
def test_a_reference_or_a_stand_in_stays(place: str, value: str) -> None:
    assert scrub("docs/a.md", place.format(value) + "\n").findings == ()


@pytest.mark.parametrize(
    "text",
    [
        "mysql -h db -p 3306 -u root shop",
        "mysql -p",
        "redis-cli -h cache ping",
        "the user can login -p is not needed",
        "auth=('ann', 'password')",
        "IDENTIFIED BY 'new_password'",
        "IDENTIFIED BY PASSWORD EXPIRE",
        "bypass = 'Zk7vQ2mX9'",
        "renderPass: 'Main_01!'",
        "if ok: pass  # Nothing1!",
        "password is required",
        "The password is required1 of all",
        "ftp://user:pass@host.kite.net/a",
    ],
)
def test_what_only_stands_in_such_a_place_stays(text: str) -> None:
    assert scrub("docs/a.md", text + "\n").findings == ()


@pytest.mark.parametrize(
    "text",
    [
        "the api key is {}, keep it",
        "use secret {} for now",
        "Authorization: Bearer {}",
        "API key: {}",
    ],
)
def test_a_hexadecimal_secret_is_found_in_prose(text: str) -> None:
    value = "20f31b4e6f7eee7ecc189e1d4ec552cf48865550"
    assert value not in scrub("docs/a.md", text.format(value) + "\n").text


def test_a_name_before_another_value_does_not_lend_it_its_meaning() -> None:
    text = '"licenseKey":"65b1bdbe6f","transactionName":"el9dRUoLXlxXRh1TQE1ZUF1dFx1DWltF"\n'
    assert scrub("src/a.html", text).findings == ()


def test_the_key_of_a_search_box_is_for_everybody() -> None:
    text = "apiKey: 'ed8b3896f8e3e2b421e4c38834b915a8',\nindexName: 'docs',\n"
    assert scrub("docs/site.config.ts", text).findings == ()
    assert scrub("docs/site.config.ts", text.partition("\n")[0]).findings != ()


def test_the_key_of_an_index_of_another_form_is_nobody_elses() -> None:
    text = "apiKey: 'pQ9xvT2mB8aa7T1kLm3nO',\nindexName: 'docs',\n"
    assert "pQ9xvT2mB8aa7T1kLm3nO" not in scrub("src/vectors.ts", text).text


def test_a_password_that_begins_like_the_rest_of_an_address_is_found() -> None:
    assert scrub("a.py", 'password="@Kq9xvT2m.B8aa7T1"\n').findings != ()
    assert scrub("a.py", 'password="@db.kite.net:5432/shop"\n').findings == ()
