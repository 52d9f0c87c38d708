"""Local network: this machine's address, and links as QR codes."""

import re
import socket
import xml.etree.ElementTree as ElementTree

import pytest

from pentad.game import GameError
from pentad.web import serve
from pentad.web.http import lan
from pentad.web.settings import Settings


def in_a_network() -> bool:
    try:
        return bool(lan.own_address())
    except GameError:
        return False


@pytest.mark.skipif(not in_a_network(), reason="This machine is not on a local network")
def test_the_own_address_is_one_of_this_machine() -> None:
    with socket.create_server((lan.own_address(), 0)):
        pass


def test_a_machine_without_a_network_is_an_error_at_startup(monkeypatch: pytest.MonkeyPatch) -> None:
    class Alone(socket.socket):
        def connect(self, _: object) -> None:
            raise OSError(101, "Network is unreachable")

    with serve.listen("127.0.0.1", 0) as listener:
        monkeypatch.setattr(lan.socket, "socket", Alone)
        with pytest.raises(GameError, match="This machine is not on a local network"):
            serve.address_for_others(Settings(lan=True), listener)
        assert serve.address_for_others(Settings(host="0.0.0.0"), listener) == ""


@pytest.mark.skipif(not in_a_network(), reason="This machine is not on a local network")
def test_the_address_for_others_is_this_machines() -> None:
    with serve.listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        assert serve.address_for_others(Settings(), listener) == ""
        for settings in (Settings(lan=True), Settings(host="0.0.0.0")):
            assert serve.address_for_others(settings, listener) == f"http://{lan.own_address()}:{port}"


def test_a_qr_code_as_text_is_square() -> None:
    plain = re.sub(r"\x1b\[[0-9;]*m", "", lan.qr_text("http://192.168.1.5:5005/"))
    lines = [line for line in plain.split("\n") if line]
    assert len({len(line) for line in lines}) == 1
    assert len(lines) > 10


def test_a_qr_code_as_svg_is_self_contained() -> None:
    picture = lan.qr_svg("http://192.168.1.5:5005/play/abcdefghjk")
    root = ElementTree.fromstring(picture)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    names = {name for each in root.iter() for name in each.attrib}
    assert not [name for name in names if name == "style" or name.startswith("on") or "href" in name]
    assert picture != lan.qr_svg("http://192.168.1.5:5005/play/abcdefghjm")
