"""Files are written whole or not at all."""

import errno
import os
import stat
import threading
from pathlib import Path

import pytest

from verify.runs.written import written_whole


def test_it_is_written_and_takes_the_place_of_the_old_one(tmp_path):
    path = tmp_path / "a.json"
    for text in ("first\n", "ν → second\r\n"):
        written_whole(path, text)
        assert path.read_bytes() == text.encode()
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]
    os.umask(mask := os.umask(0))
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask


@pytest.mark.parametrize("step", ["write", "fsync", "replace", "interrupt"])
def test_what_fails_leaves_the_old_file_and_nothing_beside_it(tmp_path, monkeypatch, step):
    path = tmp_path / "a.json"
    written_whole(path, "old")

    def full(*_):
        if step == "interrupt":
            raise KeyboardInterrupt
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        if step == "write":
            real = Path.open

            def half(self, mode="r", **more):
                file = real(self, mode, **more)
                if mode == "x":
                    file.write("ne")
                    file.write = full
                return file

            patch.setattr(Path, "open", half)
        elif step == "replace":
            patch.setattr(Path, "replace", full)
        else:
            patch.setattr("os.fsync", full)
        with pytest.raises(KeyboardInterrupt if step == "interrupt" else OSError) as caught:
            written_whole(path, "new")
    if step != "interrupt":
        assert caught.value.filename == str(path)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        written_whole(tmp_path / "none" / "a.json", "x")
    assert caught.value.filename == str(tmp_path / "none" / "a.json")


def test_a_link_stays_one(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "there" / "a.json")
    written_whole(tmp_path / "link", "x")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there" / "a.json").read_text() == "x"


def test_two_writers_leave_the_text_of_one(tmp_path):
    path, texts = tmp_path / "a.json", ["a" * 9999, "b" * 9999]
    threads = [
        threading.Thread(target=lambda t=text: [written_whole(path, t) for _ in range(9)])
        for text in texts
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_text() in texts
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]
