"""Settings: options before the environment before the file, and errors in one line."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from pentad.game import GameError
from pentad.web.settings import EVERYWHERE, HERE, PREFIX, Settings, settings
from tests.cases import slow, together
from tests.web.server_process import TIMEOUT


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PENTAD_HOME", str(tmp_path))
    for name in [each for each in os.environ if each.startswith(PREFIX)]:
        monkeypatch.delenv(name)
    return tmp_path


def read(flags: Mapping[str, object] | None = None, **environment: str) -> Settings:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(f"PENTAD_WEB_{name.upper()}", value)
        return settings(flags or {})


def test_the_default_is_this_machine_only(home: Path) -> None:
    assert read() == Settings(
        host=HERE,
        port=None,
        database=None,
        browser=True,
        lan=False,
        trusted_proxy=(),
        metrics_port=None,
        metrics_host=HERE,
        log_format="text",
        log_level=None,
    )
    assert read().listens_on == HERE


def test_a_server_with_a_name_logs_its_requests(home: Path) -> None:
    assert read().logs_from == read(lan="yes").logs_from == "warning"
    assert read(host="play.example.org").logs_from == "info"
    assert read(host="play.example.org", log_level="error").logs_from == "error"


def test_options_override_the_environment_and_that_the_file(home: Path) -> None:
    (home / "web.toml").write_text('host = "file"\nport = 1\nbrowser = false\ndatabase = "sqlite:///file"\n')
    assert read() == Settings(host="file", port=1, browser=False, database="sqlite:///file")
    assert read(port="2", host="environment", lan="yes", browser="") == Settings(
        host="environment", port=2, browser=False, database="sqlite:///file", lan=True
    )
    given = {"port": 3, "host": None, "browser": True, "lan": None}
    assert read(given, port="2", host="environment") == Settings(
        host="environment", port=3, browser=True, database="sqlite:///file"
    )


def test_proxies_are_a_list_or_separated_by_commas(home: Path) -> None:
    assert read({"trusted_proxy": ["10.0.0.1", "2001:db8::/32"]}).trusted_proxy == ("10.0.0.1/32", "2001:db8::/32")
    assert read(trusted_proxy="10.0.0.1/8, 192.0.2.1").trusted_proxy == ("10.0.0.0/8", "192.0.2.1/32")
    (home / "web.toml").write_text('trusted_proxy = ["192.0.2.1"]')
    assert read().trusted_proxy == ("192.0.2.1/32",)


def test_names_of_the_site_are_a_list_or_separated_by_commas(home: Path) -> None:
    assert read({"public_name": ["Play.Example.org", "spiel.königsberg.example"]}).public_name == (
        "play.example.org",
        "spiel.xn--knigsberg-07a.example",
    )
    assert read(public_name="play.example.org, localhost").public_name == ("play.example.org", "localhost")
    (home / "web.toml").write_text('host = "192.0.2.7"\npublic_name = ["play.example.org"]')
    assert read() == Settings(host="192.0.2.7", public_name=("play.example.org",))
    assert read().listens_on == "192.0.2.7"


@together(
    "name",
    [
        "",
        " ",
        ".",
        "*.example.org",
        "https://play.example.org",
        "play.example.org:443",
        "play.example.org/",
        "play.example.org.",
        "play..example",
        "-play.example",
        "play-.example",
        "a b",
        "a@b",
        "[::1]",
        "a\nb",
        "\ud800",
        "x" * 64 + ".example",
        "x." * 130 + "example",
        "x" * 100_000,
    ],
)
def test_an_invalid_name_of_the_site_is_refused_in_one_line(home: Path, name: str) -> None:
    with pytest.raises(GameError) as error:
        read({"public_name": ["play.example.org", name]})
    line = str(error.value)
    assert line.startswith("--public-name: public_name: Expected a name")
    assert "\n" not in line
    assert len(line) < 300


def test_lan_listens_on_all_addresses(home: Path) -> None:
    assert read({"lan": True}).listens_on == EVERYWHERE
    assert read({"lan": True, "host": "192.0.2.7"}).listens_on == "192.0.2.7"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("port = 0", "port: Expected a port from 1 to 65535, got 0"),
        ("port = true", "port: Expected a port from 1 to"),
        ("port = 5005.0", "port: Expected a port from 1 to"),
        ('port = "x"', "port: Expected a port from 1 to"),
        ("port = 99999999999999999999", "port: Expected a port from 1 to"),
        ('host = ""', "host: Expected text, got"),
        ("host = 7", "host: Expected text, got 7"),
        ('lan = "perhaps"', "lan: Expected yes or no, got 'perhaps'"),
        ("lan = 1", "lan: Expected yes or no, got 1"),
        ("lan = []", "lan: Expected yes or no, got"),
        ("trusted_proxy = 1", "trusted_proxy: Expected addresses of proxies, got 1"),
        ("trusted_proxy = []", "trusted_proxy: Expected addresses of proxies, got"),
        ("trusted_proxy = [1]", "trusted_proxy: Expected addresses of proxies, got"),
        ('trusted_proxy = "proxy"', "Expected an IP address or a network such as 10.0.0.0/8, got 'proxy'"),
        ('trusted_proxy = ["10.0.0.1", ""]', "Expected an IP address or a network such as 10.0.0.0/8, got ''"),
        ('trusted_proxy = "0.0.0.0/0"', "0.0.0.0/0 matches every address"),
        ("public_name = 1", "public_name: Expected names such as play.example.org, got 1"),
        ("public_name = []", "public_name: Expected names such as play.example.org, got"),
        ("metrics_port = 0", "metrics_port: Expected a port from 1 to 65535, got 0"),
        ('metrics_host = ""', "metrics_host: Expected text, got"),
        ('log_format = "xml"', "log_format: Expected text or json, got 'xml'"),
        ("log_format = 1", "log_format: Expected text or json, got 1"),
        ('log_level = "all"', "log_level: Expected debug or info or warning or error, got 'all'"),
        (
            "colour = 1",
            "Unknown setting 'colour'. Expected one of host, port, database, browser, lan, public_name, trusted_proxy",
        ),
        ("[web]\nport = 5005", "Unknown setting 'web'"),
        ("port", "Cannot read"),
        ("\0", "Cannot read"),
        (f"port = {'9' * 5000}", "Cannot read"),
        (f"port = {'[' * 5000}", "Cannot read"),
    ],
)
def test_an_invalid_setting_is_reported_with_the_file(home: Path, text: str, expected: str) -> None:
    (home / "web.toml").write_text(text)
    with pytest.raises(GameError) as error:
        read()
    line = str(error.value)
    assert expected in line
    assert str(home / "web.toml") in line
    assert "\n" not in line


def test_an_unreadable_file_is_named(home: Path) -> None:
    (home / "web.toml").write_bytes(b'host = "\xff"')
    with pytest.raises(GameError, match="Cannot read"):
        read()
    (home / "web.toml").unlink()
    (home / "web.toml").mkdir()
    with pytest.raises(GameError, match="Cannot read"):
        read()


@pytest.mark.parametrize(
    ("name", "value"), [("port", "0"), ("port", "٣"), ("port", "-1"), ("lan", "1.0"), ("browser", "x" * 10_000)]
)
def test_an_invalid_variable_is_reported_with_its_name(home: Path, name: str, value: str) -> None:
    with pytest.raises(GameError) as error:
        read(**{name: value})
    line = str(error.value)
    assert line.startswith(f"PENTAD_WEB_{name.upper()}: {name}: ")
    assert len(line) < 300


def web(*flags: str, **environment: str) -> tuple[int, str]:
    """The exit code and the error of `pentad web` with invalid settings."""
    code = "import sys; from pentad.terminal import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, "web", "--no-browser", *flags],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert done.stdout == ""
    return done.returncode, done.stderr


@pytest.mark.slow
def test_a_second_start_opens_the_running_server(home: Path) -> None:
    command = [sys.executable, "-m", "pentad", "web", "--no-browser"]

    def start(*flags: str) -> subprocess.Popen[str]:
        return subprocess.Popen([*command, *flags], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    with start() as first:
        assert first.stdout is not None
        where = first.stdout.readline().split()[3]
        with start() as second:
            assert second.communicate(timeout=TIMEOUT) == (f"pentad is already running: {where}\n", "")
            assert second.returncode == 0
        with start("--lan") as third:
            text = f"pentad: The games in {home / 'pentad.db'} are already being served at {where}.\n"
            assert third.communicate(timeout=TIMEOUT) == ("", text)
            assert third.returncode == 2
        first.terminate()
        assert first.communicate(timeout=TIMEOUT) == ("", "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("flags", "environment", "expected"),
    [
        slow(("--port", "0"), {}, "65535"),
        slow(("--port", "x"), {}, "65535"),
        slow(("--host", ""), {}, "--host: host: Expected text, got"),
        (("--host", "192.0.2.1"), {}, "Cannot listen on 192.0.2.1"),
        slow(("--host", "no such host"), {}, "If it is a name of the site, use --public-name."),
        slow(("--public-name", "https://x"), {}, "--public-name: public_name: Expected a name such as"),
        slow(("--database", "nonsense"), {}, "Invalid database URL."),
        (("--database", "mysql://user:secret@host/name"), {}, "Unsupported database mysql."),
        slow(("--trusted-proxy", "x"), {}, "--trusted-proxy: trusted_proxy: Expected an IP address"),
        (
            ("--metrics-port", "9464", "--metrics-host", "192.0.2.1"),
            {},
            "Cannot listen on 192.0.2.1, port 9464 for metrics: ",
        ),
        slow((), {"PENTAD_WEB_LOG_LEVEL": "all"}, "PENTAD_WEB_LOG_LEVEL: log_level: Expected debug or"),
        slow((), {"PENTAD_WEB_PORT": "0"}, "PENTAD_WEB_PORT: port: "),
        slow((), {"PENTAD_WEB_LAN": "perhaps"}, "PENTAD_WEB_LAN: lan: Expected yes or no, got"),
    ],
)
def test_invalid_settings_exit_with_one_line_and_code_two(
    home: Path, flags: tuple[str, ...], environment: dict[str, str], expected: str
) -> None:
    code, line = web(*flags, **environment)
    assert expected in line
    assert code == 2
    assert line.count("\n") == 1
    assert "secret" not in line


@pytest.mark.slow
def test_an_invalid_file_exits_likewise(home: Path) -> None:
    (home / "web.toml").write_text("port = 70000")
    assert web() == (
        2,
        f"pentad: {home / 'web.toml'}: port: Expected a port from 1 to 65535, got 70000.\n",
    )
