"""What becomes of a path, before and after looking inside."""

import hashlib

import pytest

from repos.classify import Classification, Verdict, classify_content, classify_entry
from repos.excludes import Excludes, PatternList
from repos.secret_files import is_secret_path

NOTHING = Excludes()


def _entry(path, *, mode="100644", size=5_000, attributes=None, excludes=NOTHING):
    verdict = classify_entry(
        path=path, mode=mode, size=size, attributes=attributes or {}, excludes=excludes
    )
    return verdict.classification if verdict else None


def _content(data, path="src/a.py"):
    return classify_content(path=path, data=data).classification


def test_ordinary_source_is_opened():
    assert _entry("src/a.py") is None


def test_links_and_submodules_come_before_everything_else():
    assert _entry("node_modules/x", mode="120000") is Classification.SYMLINK
    assert _entry("vendor/lib", mode="160000", size=None) is Classification.SUBMODULE


def test_secret_files_come_before_excludes_and_conventions():
    assert _entry("vendor/.env", excludes=Excludes("vendor/")) is Classification.SECRET


def test_the_deciding_pattern_and_its_source_are_named():
    excludes = Excludes("docs/\n", "*.sql\n!keep.sql\n")
    verdicts = [
        classify_entry(path=path, mode="100644", size=1, attributes={}, excludes=excludes)
        for path in ("docs/a.py", "db/a.sql", "db/keep.sql")
    ]
    assert [verdict and verdict.reason for verdict in verdicts] == [
        "excluded by settings: docs/",
        "excluded by .footnoteignore: *.sql",
        None,
    ]


@pytest.mark.parametrize(
    "path",
    [
        "node_modules/a/index.js",
        "web/node_modules/a.ts",
        "vendor/github.com/x/y.go",
        "third_party/zip/zip.c",
        "ios/Pods/A/a.swift",
        "pip/_vendor/six.py",
        ".yarn/releases/yarn.cjs",
        "gradlew",
        "static/jquery-3.7.1.js",
    ],
)
def test_vendored_by_convention(path):
    assert _entry(path) is Classification.VENDORED


@pytest.mark.parametrize(
    "path", ["src/vendor.py", "vendors/models.py", "src/node_modules.ts", "docs/third_party.md"]
)
def test_names_like_vendored_folders_are_ordinary(path):
    assert _entry(path) is None


@pytest.mark.parametrize(
    "path",
    [
        "package-lock.json",
        "web/yarn.lock",
        "Cargo.lock",
        "go.sum",
        "poetry.lock",
        "api/user.pb.go",
        "api/user_pb2.py",
        "api/user_pb2_grpc.pyi",
        "app/__generated__/Query.graphql.ts",
        "zz_generated.deepcopy.go",
        "docs/docsets/Acme.docset/Contents/Info.plist",
    ],
)
def test_generated_by_name(path):
    assert _entry(path) is Classification.GENERATED


@pytest.mark.parametrize("path", ["a.min.js", "css/site.min.css", "a.js.map", "a.min.js.map"])
def test_minified_by_name(path):
    assert _entry(path) is Classification.MINIFIED


@pytest.mark.parametrize("value", ["set", "true"])
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("linguist-vendored", Classification.VENDORED),
        ("linguist-generated", Classification.GENERATED),
    ],
)
def test_linguist_attributes(name, value, expected):
    assert _entry("src/a.py", attributes={name: value}) is expected


@pytest.mark.parametrize("value", ["unset", "false"])
@pytest.mark.parametrize(
    ("name", "path"),
    [("linguist-vendored", "third_party/ours/a.py"), ("linguist-generated", "go.sum")],
)
def test_an_attribute_taken_back_beats_the_convention(name, path, value):
    assert _entry(path, attributes={name: value}) is None
    assert _entry(path, attributes={name: "unspecified"}) is not None


def test_an_attribute_taken_back_beats_the_header():
    data = b"# @generated\nx = 1\n"
    unset = {"linguist-generated": "unset"}
    kept = classify_content(path="a.py", data=data, attributes=unset)
    assert kept.classification is Classification.INDEXED
    assert _content(data) is Classification.GENERATED


@pytest.mark.parametrize("path", ["a.png", "fonts/a.WOFF2", "lib.so", "a.tar.gz", "App.class"])
def test_binary_by_suffix(path):
    assert _entry(path) is Classification.BINARY


def test_a_small_file_with_a_binary_suffix_is_opened_for_it_may_be_a_pointer():
    assert _entry("model.bin", size=132) is None
    assert _content(b"plain", "model.bin") is Classification.BINARY


def test_large_files_name_both_sizes():
    verdict = classify_entry(
        path="a.sql", mode="100644", size=2_000, attributes={}, excludes=NOTHING, max_bytes=1_999
    )
    expected = Verdict(Classification.TOO_LARGE, "2,000 bytes, more than the limit of 1,999")
    assert verdict == expected


OID = hashlib.sha256(b"weights").hexdigest().encode()
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + OID + b"\nsize 1048576\n"


@pytest.mark.parametrize("path", ["model.bin", "data/table.py"])
def test_lfs_pointer_shows_object_and_size(path):
    verdict = classify_content(path=path, data=POINTER)
    assert verdict.classification is Classification.LFS_POINTER
    assert OID.decode() in verdict.reason
    assert "1,048,576 bytes" in verdict.reason


def test_lfs_pointer_with_cr_lf_and_with_extensions():
    extended = POINTER.replace(b"oid", b"ext-0-foo sha256:" + OID + b"\noid", 1)
    assert _content(POINTER.replace(b"\n", b"\r\n")) is Classification.LFS_POINTER
    assert _content(extended) is Classification.LFS_POINTER


@pytest.mark.parametrize(
    "data",
    [
        b"# Models\n\n" + POINTER,
        POINTER + b"and more\n",
        POINTER.replace(b"spec/v1", b"spec/v9"),
        POINTER.replace(b"size", b"length"),
        POINTER.replace(OID, OID[:-1]),
        POINTER + b"extra line\n" * 90,
        b"POINTER = '''" + POINTER + b"'''\n",
    ],
)
def test_text_that_looks_like_a_pointer_stays_text(data):
    assert _content(data, "notes.txt") is Classification.INDEXED


def test_empty_and_blank_files_are_indexed_and_say_so():
    assert classify_content(path="a.py", data=b"").reason == "empty"
    assert classify_content(path="a.bin", data=b"").classification is Classification.INDEXED
    assert classify_content(path="a.py", data=b" \n\t\n").reason.startswith("blank")


def test_nul_early_is_binary_and_late_is_text():
    assert _content(b"a\x00b") is Classification.BINARY
    assert _content(b"// line\n" * 1_100 + b"\x00") is Classification.INDEXED


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_needs_its_mark(encoding):
    assert _content("\ufeffclass A {}\n".encode(encoding)) is Classification.INDEXED
    verdict = classify_content(path="a.txt", data="depot list\n".encode(encoding))
    assert verdict.classification is Classification.BINARY
    assert "UTF-16 without a byte order mark" in verdict.reason


@pytest.mark.parametrize("encoding", ["utf-32-le", "utf-32-be"])
def test_utf32_is_named(encoding):
    verdict = classify_content(path="a.txt", data="\ufefftiny\n".encode(encoding))
    assert verdict.classification is Classification.BINARY
    assert "UTF-32" in verdict.reason


def test_control_characters_make_a_binary():
    assert _content(bytes(range(1, 32)) * 9) is Classification.BINARY


BUNDLE = b"!function(){" + b"var a=q(1);function b(e){return e?c(e):d(e)}" * 200 + b"}();"


@pytest.mark.parametrize("path", ["public/bundle.js", "site.css"])
def test_bundles_are_minified_whatever_their_name(path):
    assert _content(BUNDLE, path) is Classification.MINIFIED
    assert _content(b"/* licence\n * text\n */\n" + BUNDLE, path) is Classification.MINIFIED


def test_source_maps_under_any_name():
    data = b'{"version":3,"sources":["a.ts"],"names":[],"mappings":"' + b"AAAA;" * 900 + b'"}'
    assert _content(data, "bundle.json") is Classification.MINIFIED


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("src/banner.js", b"import x from 'y';\nconst BANNER = '" + b"word and " * 600 + b"';\n"),
        ("src/logo.js", b"export const LOGO = '" + b"QUJDREVG" * 600 + b"';\n"),
        ("src/short.js", b"(function(){" + b"a(b);" * 200 + b"})()\n"),
        ("docs/handbook.md", b"A long paragraph (with brackets); " * 400),
        ("data/rows.json", b"[" + b'{"a":1},' * 2_000 + b"0]"),
        ("data/rows.csv", b"1;2;3;" * 2_000),
        ("src/wide.ts", b"export function add(a, b) {\n  return a + b;\n}\n" * 200),
    ],
)
def test_long_lines_alone_do_not_leave_a_file_out(path, data):
    assert _content(data, path) is Classification.INDEXED


@pytest.mark.parametrize(
    "header",
    [
        "// Code generated by protoc-gen-go. DO NOT EDIT.",
        "# Generated by the protocol buffer compiler.  DO NOT EDIT!",
        "/**\n * @generated SignedSource<<abc>>\n */",
        "// This file is @generated by a tool",
        "// <auto-generated>",
        "/* This file was automatically generated by Qt; do not modify */",
        "-- AUTO-GENERATED, do not edit",
        "# DO NOT EDIT: this file is generated",
        "/* A Bison parser, made by GNU Bison 3.8.2.  */",
        "/* A lexical scanner generated by flex */",
        '#line 1 "src/lexer.l"',
        "# Generated by GNU Autoconf 2.71 for acme 1.0.",
        "# Makefile.in generated by automake 1.16.5 from Makefile.am.",
        "/* automatically generated by rust-bindgen 0.69.4 */",
        "// Generated from Java.g4 by ANTLR 4.13.1",
        "// Generated using SwiftGen, by O.Halligon",
        "/* Generated By:JavaCC: Do not edit this line. Parser.java */",
        "/* Generated by Cython 3.0.8 */",
        "// This file is auto-generated by @hey-api/openapi-ts",
        "<!-- Generated by javadoc (17) on Mon Jan 01 00:00:00 UTC 2026 -->",
        '<meta name="generator" content="Jekyll v4.3.2" />',
        '<link rel="stylesheet" type="text/css" href="../css/jazzy.css" />',
    ],
)
def test_generated_by_its_header(header):
    assert _content(f"{'# licence' * 3}\n{header}\nx\n".encode()) is Classification.GENERATED


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("gen.py", 'HEADER = "// Code generated by gen. DO NOT EDIT."\n'),
        ("docs/a.md", "Code generated by x. DO NOT EDIT.\n"),
        ("a.py", "# Generated by Django 5.2 on 2026-01-01\n"),
        ("a.js", "// skips files with @generated in them\n"),
        ("a.c", "/* The parser of options; bison is not used. */\n"),
        ("a.go", "// Generated names are kept in this file.\n"),
        ("a.ts", "// This file is generated if it is missing, see build.ts\n"),
        ("db/schema.rb", "# This file is auto-generated from the current state of the database.\n"),
        (".gitignore", "# Automatically generated by `hgimportsvn`\n"),
        (".github/workflows/ci.yml", "# This file was automatically generated by sbt-actions.\n"),
        ("docs.tpl", "This file is autogenerated!\n"),
        ("a.py", '"""Generated by the user: a report."""\n'),
        ("base.html", '<meta name="generator" content="{{ site.generator }}">\n'),
        ("a.html", "<p>a meta tag with name=generator is left out</p>\n"),
        ("a.go", "package a\n" * 60 + "// Code generated by x. DO NOT EDIT.\n"),
    ],
)
def test_files_that_speak_of_generated_code_are_source(path, text):
    assert _content(text.encode(), path) is Classification.INDEXED


@pytest.mark.parametrize(
    ("patterns", "path", "decides"),
    [
        ("*.log", "a/b.log", "*.log"),
        ("/a.py", "sub/a.py", None),
        ("build/", "build", None),
        ("build/", "x/build/a.py", "build/"),
        ("out\n!out/keep.py", "out/keep.py", "out"),
        ("out/*\n!out/keep.py", "out/keep.py", None),
        ("out/**\n!out/keep.py", "out/keep.py", None),
        ("*\n!*/\n!*.py", "a/b.py", None),
        ("*\n!*/\n!*.py", "a/b.txt", "*"),
        ("a/**/z.py", "a/z.py", "a/**/z.py"),
        ("\\#x", "#x", "\\#x"),
        ("# comment\n\n*.a\r\n", "x.a", "*.a"),
        ("[Bb]in/", "Bin/x", "[Bb]in/"),
        ("doc/frotz/", "a/doc/frotz/x", None),
        ("foo bar.txt  ", "foo bar.txt", "foo bar.txt"),
    ],
)
def test_patterns_follow_git(patterns, path, decides):
    assert PatternList(patterns).match(path) == decides


@pytest.mark.parametrize("pattern", ["a*b*c*d*e", "**/a/**/b/**/c", "x" * 600, "!", "/"])
def test_costly_and_empty_patterns_are_refused_by_name(pattern):
    assert Excludes(f"*.log\n{pattern}").refused == (f"settings: {pattern}",)


@pytest.mark.timeout(5)
def test_hostile_patterns_and_names_stay_cheap():
    text = "\n".join(["*a*a*", "**/a*a*a*/**/x", "a*a*a*b"] * 20)
    assert PatternList(text).match("a" * 250 + "/" + "a" * 250 + "!") is not None


NEVER_OPENED = """
    .env .ENV config/.env.production .env~ .envrc .env-prod prod.env .envs/.production/.django
    server.pem certs/Bundle.PEM deploy/tls.key server.key.bak .server.key.swp
    id_rsa ID_RSA .ssh/id_ed25519 id_rsa_github deploy_rsa ssh_host_rsa_key .ssh/work
    .npmrc web/.npmrc .pypirc .netrc _netrc .git-credentials .htpasswd .pgpass .my.cnf
    .aws/credentials .aws/config .docker/config.json .dockercfg kubeconfig prod-kubeconfig.yaml
    .kube/config terraform.tfvars prod.auto.tfvars x.tfvars.json terraform.tfstate
    terraform.tfstate.backup a.jks a.keystore a.p12 a.pfx a.ppk AuthKey_1.p8 secring.gpg
    private.asc vault.kdbx .vault-token .vault_pass.txt .s3cfg .boto rclone.conf credentials.json
    google-credentials.json my-service-account.json gcp-key.json x-firebase-adminsdk-1.json
    client_secret_1.json credentials.csv secrets.yml .streamlit/secrets.toml config/master.key
    .cargo/credentials.toml .m2/settings.xml .gnupg/secring.gpg .bash_history passwords.txt
    keystore.properties .dev.vars auth.json .config/gcloud/credentials.db etc/shadow
"""


@pytest.mark.parametrize("path", NEVER_OPENED.split())
def test_secret_files_are_never_opened(path):
    assert (is_secret_path(path) or "").endswith("listed, never opened")


READ = """
    .env.example .env.sample .env.template .env.dist .env-example example.env env.py env.d.ts
    environment.ts src/env/index.ts id_rsa.pub src/id_rsa_parser.go rsa.go docs/pem-format.md pem.py
    src/keys.ts keys.json tokens.json config/credentials.rb lib/credentials.ts docs/credentials.md
    npmrc.test.js .npmrc.example netrc.go kubeconfig.go docs/kubeconfig.md service_account.py
    terraform.tfvars.example main.tf server.crt pubring.gpg .ssh/config .ssh/known_hosts
    locales/en/auth.json src/secrets.py templates/secrets.yaml .secrets.baseline .bashrc
    keyboard.keymap monkey.py .docker/daemon.json credentials.json.example
"""


@pytest.mark.parametrize("path", READ.split())
def test_files_that_speak_of_secrets_are_read(path):
    assert is_secret_path(path) is None
