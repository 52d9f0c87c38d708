"""How a server is set up: flags over the environment over the file, and a line for what is rubbish."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from pentad.game import GameError
from pentad.web.settings import EVERYWHERE, HERE, Settings, settings
from tests.web.serving import TIMEOUT


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PENTAD_HOME", str(tmp_path))
    return tmp_path


def read(flags: Mapping[str, object] | None = None, **environment: str) -> Settings:
    return settings(flags or {}, {f"PENTAD_WEB_{name.upper()}": value for name, value in environment.items()})


def test_it_comes_for_this_machine_alone(home: Path) -> None:
    assert read() == Settings(host=HERE, port=None, database=None, browser=True, lan=False, trusted_proxy=())
    assert read().listens_on == HERE


def test_flags_go_before_the_environment_and_that_before_the_file(home: Path) -> None:
    (home / "web.toml").write_text('host = "file"\nport = 1\nbrowser = false\ndatabase = "sqlite:///file"\n')
    assert read() == Settings(host="file", port=1, browser=False, database="sqlite:///file")
    assert read(port="2", host="environment", lan="yes", browser="") == Settings(
        host="environment", port=2, browser=False, database="sqlite:///file", lan=True
    )
    given = {"port": 3, "host": None, "browser": True, "lan": None}
    assert read(given, port="2", host="environment") == Settings(
        host="environment", port=3, browser=True, database="sqlite:///file"
    )


def test_proxies_are_given_by_flags_with_commas_or_as_a_list(home: Path) -> None:
    assert read({"trusted_proxy": ["10.0.0.1", "2001:db8::/32"]}).trusted_proxy == ("10.0.0.1/32", "2001:db8::/32")
    assert read(trusted_proxy="10.0.0.1/8, 192.0.2.1").trusted_proxy == ("10.0.0.0/8", "192.0.2.1/32")
    (home / "web.toml").write_text('trusted_proxy = ["192.0.2.1"]')
    assert read().trusted_proxy == ("192.0.2.1/32",)


def test_a_room_full_of_people_is_listened_to_everywhere(home: Path) -> None:
    assert read({"lan": True}).listens_on == EVERYWHERE
    assert read({"lan": True, "host": "192.0.2.7"}).listens_on == "192.0.2.7"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("port = 0", "port: a port is a whole number from 1 to 65535, not 0"),
        ("port = true", "port: a port is a whole number"),
        ("port = 5005.0", "port: a port is a whole number"),
        ('port = "x"', "port: a port is a whole number"),
        ("port = 99999999999999999999", "port: a port is a whole number"),
        ('host = ""', "host: a text is wanted"),
        ("host = 7", "host: a text is wanted, not 7"),
        ('lan = "perhaps"', "lan: yes or no is wanted, not 'perhaps'"),
        ("lan = 1", "lan: yes or no is wanted, not 1"),
        ("lan = []", "lan: yes or no is wanted"),
        ("trusted_proxy = 1", "trusted_proxy: the addresses of proxies are wanted, not 1"),
        ("trusted_proxy = []", "trusted_proxy: the addresses of proxies are wanted"),
        ("trusted_proxy = [1]", "trusted_proxy: the addresses of proxies are wanted"),
        ('trusted_proxy = "proxy"', "a proxy is an IP address or a network such as 10.0.0.0/8, not 'proxy'"),
        ('trusted_proxy = ["10.0.0.1", ""]', "a proxy is an IP address or a network such as 10.0.0.0/8, not ''"),
        ('trusted_proxy = "0.0.0.0/0"', "0.0.0.0/0 is every address: any client could then make up its own"),
        ("colour = 1", "there is no setting 'colour'; there are: host, port, database, browser, lan, trusted_proxy"),
        ("[web]\nport = 5005", "there is no setting 'web'"),
        ("port", "cannot be read"),
        ("\0", "cannot be read"),
        (f"port = {'9' * 5000}", "cannot be read"),
        (f"port = {'[' * 5000}", "cannot be read"),
    ],
)
def test_rubbish_in_the_file_is_named_with_the_file(home: Path, text: str, said: str) -> None:
    (home / "web.toml").write_text(text)
    with pytest.raises(GameError) as error:
        read()
    line = str(error.value)
    assert said in line
    assert str(home / "web.toml") in line
    assert "\n" not in line


def test_a_file_that_is_none_is_named(home: Path) -> None:
    (home / "web.toml").write_bytes(b'host = "\xff"')
    with pytest.raises(GameError, match="cannot be read"):
        read()
    (home / "web.toml").unlink()
    (home / "web.toml").mkdir()
    with pytest.raises(GameError, match="cannot be read"):
        read()


@pytest.mark.parametrize(
    ("name", "value"), [("port", "0"), ("port", "٣"), ("port", "-1"), ("lan", "1.0"), ("browser", "x" * 10_000)]
)
def test_rubbish_in_the_environment_is_named_with_its_variable(home: Path, name: str, value: str) -> None:
    with pytest.raises(GameError) as error:
        read(**{name: value})
    line = str(error.value)
    assert line.startswith(f"PENTAD_WEB_{name.upper()}: {name}: ")
    assert len(line) < 300


def web(*flags: str, **environment: str) -> tuple[int, str]:
    """What `pentad web` says when it does not even begin to serve."""
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


def test_who_starts_it_twice_is_shown_the_first_one(home: Path) -> None:
    command = [sys.executable, "-m", "pentad", "web", "--no-browser"]

    def start(*flags: str) -> subprocess.Popen[str]:
        return subprocess.Popen([*command, *flags], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    with start() as first:
        assert first.stdout is not None
        where = first.stdout.readline().split()[3]
        with start() as second:
            assert second.communicate(timeout=TIMEOUT) == (f"pentad is at {where} already\n", "")
            assert second.returncode == 0
        with start("--lan") as third:
            said = f"pentad: The games in {home / 'pentad.db'} are already being served at {where}.\n"
            assert third.communicate(timeout=TIMEOUT) == ("", said)
            assert third.returncode == 2
        first.terminate()
        assert first.communicate(timeout=TIMEOUT) == ("", "")


@pytest.mark.parametrize(
    ("flags", "environment", "said"),
    [
        (("--port", "0"), {}, "65535"),
        (("--port", "x"), {}, "65535"),
        (("--host", ""), {}, "--host: host: a text is wanted"),
        (("--host", "192.0.2.1"), {}, "cannot listen on 192.0.2.1"),
        (("--host", "no such host"), {}, "cannot listen on no such host"),
        (("--database", "nonsense"), {}, "Invalid database URL."),
        (("--database", "mysql://user:secret@host/name"), {}, "Unsupported database mysql."),
        (("--trusted-proxy", "x"), {}, "--trusted-proxy: trusted_proxy: a proxy is an IP address"),
        ((), {"PENTAD_WEB_PORT": "0"}, "PENTAD_WEB_PORT: port: "),
        ((), {"PENTAD_WEB_LAN": "perhaps"}, "PENTAD_WEB_LAN: lan: yes or no is wanted"),
    ],
)
def test_rubbish_ends_with_one_line_and_a_code_of_two(
    home: Path, flags: tuple[str, ...], environment: dict[str, str], said: str
) -> None:
    code, line = web(*flags, **environment)
    assert said in line
    assert code == 2
    assert line.count("\n") == 1
    assert "secret" not in line


def test_a_file_of_rubbish_ends_it_likewise(home: Path) -> None:
    (home / "web.toml").write_text("port = 70000")
    assert web() == (
        2,
        f"pentad: {home / 'web.toml'}: port: a port is a whole number from 1 to 65535, not 70000\n",
    )
