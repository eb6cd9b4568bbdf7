"""What the actions of the table do in the window, by their names."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from engine.dat.hex_id import hex_id
from engine.replay.history.marks import DIFFERS
from viewer.how_started import runs_here
from viewer.overlay.command_palette import Entry
from viewer.picture.split_view import pane_size
from viewer.settings_files import is_writable
from viewer.tables.modes import MODES
from viewer.terminal import print_if_read, say
from viewer.user_error import UserError
from viewer.user_folders import home_folder, pictures_folder
from viewer.window.announced import Announced
from viewer.window.dats_dialog import DatsDialog, dats_trouble
from viewer.window.guard import Guard
from viewer.window.palette_entries import PaletteEntries
from viewer.window.panel_deeds import PanelDeeds
from viewer.window.parts import Parts
from viewer.window.sharing.bug_folder import Bug, is_bug_folder, open_bug, read_bug
from viewer.window.sharing.bug_report import is_everywhere, write_bug
from viewer.window.sharing.copied_command import render_command, told_of_command
from viewer.window.user_files.key_file import settings_folder
from viewer.window.walking.going import Bookmarks

TO_DROP: Final = "the folder of dats, or a bug folder (a capture: holtwalk replay; a scene: walk --scene)"


class Deeds:
    """Does what the table of actions names, to a window and its walk."""

    def __init__(self, parts: Parts, toggle_panels: Callable[[], None]) -> None:
        self._parts = parts
        self.bookmarks = Bookmarks(settings_folder())
        if self.bookmarks.complaint:
            say(self.bookmarks.complaint)
        walk, controls, say_so = parts.walk, parts.controls, parts.message.say
        self._guard = Guard(say_so, say)
        self._typed = ""
        self._palette = PaletteEntries(parts, walk.visited, self.bookmarks, do=self._chosen, go=self.go)
        self._panels = PanelDeeds(parts, copy=self._copy, show_panel=self._palette.show_panel, go=self.go)
        self.dats = DatsDialog(self._take_dats, say_so)
        self.announced = Announced(say_so, walk.pace)
        self._by_name: dict[str, Callable[[], None]] = {
            "use": lambda: say_so(walk.use_seen()),
            "person": walk.camera.toggle,
            "zoom_in": lambda: walk.camera.zoom(1),
            "zoom_out": lambda: walk.camera.zoom(-1),
            "fly": walk.toggle_flight,
            "inspect": self._inspect,
            "inspect_nothing": walk.questions.inspect_nothing,
            "why_nothing": lambda: walk.questions.ask_why(0),
            "audit": self._audit,
            "audit_block": lambda: self._audit(walk.simulation.position.cell_id & 0xFFFF0000),
            "audit_stop": walk.questions.stop_audit,
            "map_here": partial(self._with_panel, "Map", walk.questions.center_map),
            "map_world": partial(self._with_panel, "Map", walk.questions.show_world),
            "probe": self._palette.probe_ahead,
            "probe_nothing": lambda: walk.questions.probe(0),
            "place_door": walk.questions.place_door,
            "remove_door": walk.questions.remove_door,
            "save_scene": walk.questions.save_scene,
            "pause": walk.toggle_pause,
            "step": self._step,
            "step_back": lambda: say_so(walk.travel.back()),
            "mark_back": lambda: say_so(walk.travel.to_mark(-1)),
            "mark_next": lambda: say_so(walk.travel.to_mark(1)),
            "blocked": lambda: say_so(walk.travel.to_blocked()),
            "first_tick": lambda: say_so(walk.travel.show(walk.history.first)),
            "last_tick": lambda: say_so(walk.travel.show(walk.history.last)),
            "difference": self._to_difference,
            "play": lambda: say_so(walk.travel.toggle_play()),
            "slower": lambda: say_so(walk.travel.change_speed(-1)),
            "faster": lambda: say_so(walk.travel.change_speed(1)),
            "day": lambda: say_so(walk.clock.change_rate()),
            "modes_off": walk.modes_off,
            "mouse": controls.toggle_mouse,
            "teleport": self._open_teleport,
            "place_back": lambda: self._return(walk.visited.back),
            "place_forth": lambda: self._return(walk.visited.forth),
            "come_here": self._come_here,
            "lock": lambda: say_so(walk.toggle_lock()),
            "copy_place": self._copy_place,
            "copy_command": self._copy_command,
            "bug": self._bug,
            "screenshot": parts.pictures.ask_for_picture,
            "screenshot_panels": parts.pictures.ask_for_window,
            "movie": lambda: parts.movie.begin(pictures_folder()),
            "help": self._toggle_keys,
            "first_steps": self.show_card,
            "choose_dats": self._choose_dats,
            "palette": self._open_palette,
            "full_screen": controls.ask_for_full_screen,
            "panels": toggle_panels,
            "reset_panels": parts.layout.reset,
            "quit": self._free_or_ask,
            "jump": controls.charge_jump,
            **self._panels.by_name,
            **{f"draw-{mode.name}": partial(walk.switch_mode, mode.name) for mode in MODES},
            **{f"draw-{mode.name}-back": partial(walk.switch_mode, mode.name, -1) for mode in MODES},
        }

    def do(self, name: str) -> None:
        """Do an action by its name; held ones are not done but looked at."""
        if name not in self._by_name:
            return
        self._guard(name, self._by_name[name])  # the walk goes on, whatever one key finds

    def entries(self, text: str) -> list[Entry]:
        """Everything that the palette can do, once a text is typed."""
        return [*self._palette.entries(text), *self._panels.entries(text)]

    def bookmark_entries(self) -> list[Entry]:
        """What the menu of bookmarks has."""
        return self._palette.of_bookmarks()

    def _chosen(self, name: str) -> None:
        """Do an action that was chosen in the palette, with the mouse as it was before it was open."""
        if name == "quit":
            self._ask_to_leave()
            return
        self._parts.controls.give_mouse_back()
        self.do(name)

    def go(self, text: str) -> str:
        """Go to a place, and remember the one that was left; a complaint, empty without one."""
        return self._parts.walk.teleport(text)

    def go_from_box(self, text: str) -> str:
        """The same for what was typed into the box, which is opened again where the way there is in vain."""
        complaint = self.go(text)
        self._typed = "" if complaint else text
        return complaint

    def look_at_way(self) -> None:
        """Where a place that was typed turned out to be none: its box again, with text and reason."""
        refused, self._parts.walk.refused = self._parts.walk.refused, None
        typed, box = self._typed, self._parts.boxes.teleport
        if refused is not None and typed and not self._parts.boxes.ask:
            self._open_teleport()
            box.text, box.complaint = typed, refused[1]
        if self._parts.walk.destination is None:
            self._typed = ""

    def _with_panel(self, title: str, act: Callable[[], object]) -> None:
        act()
        self._palette.show_panel(title)

    def _to_difference(self) -> None:
        """To where a recorded client differs, where there is one."""
        walk = self._parts.walk
        if walk.player is None:
            command = runs_here("holtwalk replay CAPTURE --window")
            self._parts.message.say(f"no capture is played: {command} plays one")
        else:
            self._parts.message.say(walk.travel.to_mark(1, DIFFERS))

    def _return(self, to: Callable[[str], str]) -> None:
        """Go to a place that was left, without forgetting the one that is left now."""
        walk = self._parts.walk
        place = to(walk.location())
        said = walk.teleport(place, remembers=False) if place else "there is no other place to go to"
        self._parts.message.say(said)

    def _come_here(self) -> None:
        """Let the body come to where the camera has flown."""
        walk = self._parts.walk
        place = walk.flown_to()
        if not place:
            self._parts.message.say("the camera is where the body is: fly first")
            return
        complaint = walk.teleport(place, levels=False, finds_cell=True)
        if complaint:
            self._parts.message.say(complaint)
            return
        if walk.destination is None and not walk.notice:
            self._parts.message.say(
                f"the body came here, into cell {hex_id(walk.simulation.position.cell_id)}"
            )

    def _step(self) -> None:
        if self._parts.walk.step(self._parts.controls.movement()):
            self._parts.controls.ticked()

    def _open_teleport(self) -> None:
        self._parts.controls.free_for_box()
        self._parts.boxes.teleport.open(self._parts.walk.location())

    def _open_palette(self) -> None:
        self._parts.controls.free_for_box()
        self._parts.boxes.palette.open()

    def _toggle_keys(self) -> None:
        key_help = self._parts.boxes.key_help
        key_help.toggle()
        if key_help.is_open:
            self._parts.controls.free_for_box()

    def show_card(self) -> None:
        """Show the card of the first minute; it is not shown again by itself."""
        self._parts.boxes.card.open()
        self._parts.walk.set_setting("first_steps", value=False)

    def _choose_dats(self) -> None:
        self._parts.controls.free_for_typing()
        self.dats.ask(str(self._parts.walk.settings["dats"] or home_folder() or Path.cwd()))

    def _take_dats(self, folder: Path) -> None:
        """Remember a folder of dats, where it is one."""
        if trouble := dats_trouble(folder):
            self._parts.message.say(trouble)
            return
        if not is_writable(str(folder)):
            why = "its name is no UTF-8, and settings.toml is; name it with --dats"
            self._parts.message.say(f"{folder} can't be remembered: {why}")
            return
        unkept = self._parts.walk.settings.set_and_keep("dats", str(folder))
        said = f"can't be remembered: {unkept}" if unkept else "is opened from the next start on"
        self._parts.message.say(f"{folder} {said}")

    def _audit(self, block: int | None = None) -> None:
        """Look a landblock or all of the world over: the findings in view, the mouse free to click them."""
        parts = self._parts
        parts.walk.questions.audit(block)
        parts.layout.show("Audit")
        parts.controls.free_for_typing()

    def _inspect(self) -> None:
        """Ask what is under the cross-hair, or under the pointer while the mouse is free."""
        parts = self._parts
        left, top, width, height = parts.walk.picture
        x, y = parts.controls.pointer
        if parts.controls.mouse_caught:
            pane = pane_size((width, height), split="split" in parts.walk.modes)
            x, y = left + pane[0] // 2, top + pane[1] // 2
        if not (left <= x < left + width and top <= y < top + height):
            parts.message.say("the pointer is not on the picture")
            return
        ratio = parts.window.pixel_ratio
        parts.walk.questions.inspect((int((x - left) * ratio), int((y - top) * ratio)))

    def _free_or_ask(self) -> None:
        controls, walk = self._parts.controls, self._parts.walk
        if controls.mouse_caught:
            controls.catch_mouse(caught=False)
        elif walk.questions.stands or walk.listing.selected:
            walk.let_go()
        else:
            self._ask_to_leave()

    def _ask_to_leave(self) -> None:
        self._parts.controls.free_for_box()
        self._parts.boxes.leave.open()

    def _bug(self) -> None:
        """Write a bug folder, after the question what it may hold where that was never answered.

        Not so of a world that is everywhere: nobody needs its dumps.
        """
        parts = self._parts
        answer = parts.walk.settings["bug_dumps"]
        if answer is not None or is_everywhere(parts.walk.simulation.world):
            self._write_bug(with_dumps=bool(answer))
            return
        parts.controls.free_for_box()
        parts.boxes.dumps.open(
            partial(self._answer_dumps, with_dumps=True),
            partial(self._answer_dumps, with_dumps=False),
            self.tell_of_no_bug,
        )

    def tell_of_no_bug(self) -> None:
        """The question what a bug folder may hold was closed without an answer: say what that means."""
        again = self._parts.walk.key_of("bug") or "the palette"
        self._parts.message.say(f"no bug folder was written, as nothing was answered; {again} asks again")

    def _answer_dumps(self, *, with_dumps: bool) -> None:
        self._parts.walk.set_setting("bug_dumps", with_dumps)
        self._write_bug(with_dumps=with_dumps)

    def _write_bug(self, *, with_dumps: bool) -> None:
        dumps = " with dumps" if with_dumps else ""
        work = partial(self._write_bug_now, with_dumps=with_dumps)
        self.announced.begin(f"writing a bug folder{dumps} …", work)

    def _write_bug_now(self, *, with_dumps: bool) -> None:
        parts = self._parts
        driver = str(parts.window.ctx.info.get("GL_RENDERER", ""))
        said = write_bug(
            parts.walk, parts.canvas.image, size=parts.canvas.size, driver=driver, with_dumps=with_dumps
        )
        print_if_read(said)
        parts.message.say(said)

    def drop(self, path: Path) -> None:
        """Something was dropped on the window: a bug folder is shown, a folder of dats remembered."""
        is_folder = os.path.isdir(path)
        folder = path if is_folder else path.parent
        if not is_bug_folder(folder):
            if is_folder or path.suffix.lower() == ".dat":
                self._take_dats(folder)
            else:
                self._parts.message.say(f"{path} is no file of dats: drop {TO_DROP}")
            return
        try:
            bug = read_bug(folder)
            name = self._parts.walk.simulation.world.source.name
            if bug.facts.world_name != name:
                command = runs_here(shlex.join(["holtwalk", "open", str(folder)]))
                self._parts.message.say(f"{folder.name} is of another world: {command}")
                return
            self.announced.begin(f"opening {bug.name} …", partial(self._open_bug, bug))
        except UserError as error:
            self._parts.message.say(str(error))

    def _open_bug(self, bug: Bug) -> None:
        try:
            self._parts.message.say(open_bug(self._parts.walk, bug))
        except UserError as error:
            self._parts.message.say(str(error))

    def _copy_place(self) -> None:
        self._copy(self._parts.walk.location(), self._parts.walk.location())

    def _copy_command(self) -> None:
        command = runs_here(render_command(self._parts.walk, self._parts.canvas.size))
        self._copy(command, told_of_command(self._parts.walk))

    def _copy(self, text: str, called: str) -> None:
        """Put a line on the clipboard, and print it: not every desktop hands the clipboard on."""
        copied = self._parts.clipboard.put(text)
        print_if_read(text)
        how = "copied and printed" if copied else "the clipboard takes nothing; printed"
        self._parts.message.say(f"{how}: {called}")
