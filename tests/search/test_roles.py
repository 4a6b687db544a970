import pytest

from search.roles import WEIGHTS, Role, asked_roles, role_of, weight_of


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("src/app/history.py", Role.SOURCE),
        ("lib/news/feed.rb", Role.SOURCE),
        ("app/templates/index.html", Role.SOURCE),
        ("db/schema.sql", Role.SOURCE),
        ("packages/testing/src/index.ts", Role.SOURCE),
        ("src/contest.py", Role.SOURCE),
        ("src/INIT.java", Role.SOURCE),
        ("tests/test_app.py", Role.TEST),
        ("conftest.py", Role.TEST),
        ("testing/helpers.py", Role.TEST),
        ("pkg/index/merge_test.go", Role.TEST),
        ("src/store.spec.ts", Role.TEST),
        ("core/src/test/java/acme/Clock.java", Role.TEST),
        ("acme/ClockTest.java", Role.TEST),
        ("Acme.Web.Tests/Clock.cs", Role.TEST),
        ("spec/models/user.rb", Role.TEST),
        ("test/fixtures/select.sql", Role.FIXTURE),
        ("tests/data/expected.json", Role.FIXTURE),
        ("README.md", Role.DOC),
        ("docs/conf.py", Role.DOC),
        ("LICENSE", Role.DOC),
        ("CHANGELOG.md", Role.CHANGES),
        ("CHANGES", Role.CHANGES),
        ("docs/release-notes/2.0.rst", Role.CHANGES),
        ("examples/todo/app.py", Role.EXAMPLE),
        ("Makefile", Role.DATA),
        (".github/workflows/ci.yml", Role.DATA),
        ("go.sum", Role.DATA),
        # names of prose that are names of code as well
        ("src/Advisory/SecurityAdvisory.php", Role.SOURCE),
        ("app/security.py", Role.SOURCE),
        ("acme/LicenseManager.java", Role.SOURCE),
        ("internal/notice/notice.go", Role.SOURCE),
        ("SECURITY.md", Role.DOC),
        ("LICENSE-MIT", Role.DOC),
        ("LICENSE.apache", Role.DOC),
        ("README.ja", Role.DOC),
        # code below a folder that is named like a manual
        ("crates/core/flags/doc/man.rs", Role.SOURCE),
        ("src/main/java/acme/doc/Writer.java", Role.SOURCE),
        ("wiki/pages.py", Role.SOURCE),
        ("docs/build.py", Role.DOC),
        ("packages/ui/docs/theme.ts", Role.DOC),
        ("wiki/Home.md", Role.DOC),
        ("doc/man/tool.1", Role.DOC),
        # manuals of versions that are kept
        ("docs/content/manual/v1.6/manual.yml", Role.OLD_DOC),
        ("docs/content/manual/dev/manual.yml", Role.DOC),
        ("www/versioned_docs/version-10.x/server/routers.md", Role.OLD_DOC),
        ("docs/2.4/guide.rst", Role.OLD_DOC),
        ("docs/guide/http2.md", Role.DOC),
        ("docs/rfc-1.2-numbers.md", Role.DOC),
        # source sets and targets of tests in the languages that name them in one word
        ("okio/src/commonTest/kotlin/okio/SourceFactory.kt", Role.TEST),
        ("app/src/androidTest/kotlin/Rules.kt", Role.TEST),
        ("lib/src/testFixtures/java/acme/Builder.java", Role.TEST),
        ("AcmeTests/Helpers.swift", Role.TEST),
        ("AcmeUITests/Launch.swift", Role.TEST),
        ("internal/testutil/clock.go", Role.TEST),
        ("internal/mocks/store.go", Role.TEST),
        ("mock/mock.go", Role.SOURCE),
        ("core/src/main/scala/acme/RetrySuite.scala", Role.TEST),
        ("t/basic.t", Role.TEST),
        ("ext/acme/001.phpt", Role.TEST),
        ("caddy/adapt/tls.caddyfiletest", Role.TEST),
        ("src/latest/run.rb", Role.SOURCE),
        ("src/_pytest/runner.py", Role.SOURCE),
        ("packages/vitest/src/run.ts", Role.SOURCE),
        ("src/Manifest.kt", Role.SOURCE),
        ("ui/Button.stories.tsx", Role.EXAMPLE),
        ("watchOS Example/App/Main.swift", Role.EXAMPLE),
        ("cypress/support/commands.ts", Role.TEST),
        ("docs_src/security/tutorial001.py", Role.EXAMPLE),
        ("Sources/Manual.docc/Resources/Cell-1.swift", Role.EXAMPLE),
        ("Sources/Manual.docc/Start.md", Role.DOC),
        ("core/src/jmh/scala/acme/ParsingBenchmarks.scala", Role.EXAMPLE),
        ("benches/parse.rs", Role.EXAMPLE),
        # what is built of the source and kept beside it
        ("dist/node/acme.cjs", Role.BUILT),
        ("packages/ui/dist/index.d.ts", Role.BUILT),
        ("priv/static/acme.mjs", Role.BUILT),
        ("single_include/acme/acme.hpp", Role.BUILT),
        ("amalgamation/acme.c", Role.BUILT),
        ("extras/acme_amalgamated.hpp", Role.BUILT),
        ("lib/acme.umd.js", Role.BUILT),
        ("src/cmd/dist/build.go", Role.SOURCE),
        ("acme/dist/sdist.py", Role.SOURCE),
        ("src/bundle.js", Role.SOURCE),
        ("lib/static/sender.ex", Role.SOURCE),
        # manifests, project files, signatures
        ("CMakeLists.txt", Role.DATA),
        ("requirements-dev.txt", Role.DATA),
        ("Acme.xcodeproj/project.pbxproj", Role.DATA),
        ("src/Acme/Acme.csproj", Role.DATA),
        ("okio/api/okio.api", Role.DATA),
        ("sig/v1.5/acme-linux64.asc", Role.DATA),
        ("phpstan/baseline.neon", Role.DATA),
        ("bin/acme", Role.SOURCE),
        ("bin/queue_bench", Role.TEST),
        ("scripts/release", Role.SOURCE),
    ],
)
def test_role_of_a_path(path: str, role: Role):
    assert role_of(path) is role


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("Which tests cover the session store?", {Role.TEST, Role.FIXTURE}),
        ("Where are cookies that expire tested: is the clock tested?", {Role.TEST, Role.FIXTURE}),
        ("Add tests for the parser of dates without a zone", {Role.TEST, Role.FIXTURE}),
        ("session tests", {Role.TEST, Role.FIXTURE}),
        ("How does the test client send a cookie to the app?", set()),
        ("What does the documentation say about signed cookies?", {Role.DOC, Role.OLD_DOC}),
        ("In which release was the old parser taken away again?", {Role.CHANGES}),
        ("Is there an example of a custom session interface here?", {Role.EXAMPLE}),
        ("ci workflow", {Role.DATA}),
        ("umd bundle exports", {Role.BUILT}),
        ("Where is the config of a running worker read again?", set()),
    ],
)
def test_roles_that_are_asked_for(words: str, asked: set[Role]):
    assert asked_roles(words) == asked


def test_what_is_asked_for_counts_in_full():
    assert weight_of("tests/test_app.py", frozenset()) == WEIGHTS[Role.TEST]
    assert weight_of("tests/test_app.py", frozenset({Role.TEST})) == 1.0
    assert weight_of("src/app.py", frozenset({Role.TEST})) == 1.0
