"""Nothing but the room of writing opens a file for writing: a scan over all sources."""

import ast

from tests.places import ROOT

ROOM = ROOT / "engine" / "files" / "write.py"
DRAFT = ROOM.with_name("draft_file.py")  # what it writes with
LOCK = ROOM.with_name("lock.py")  # holds nothing: a file that is only locked
FOLDERS = ("engine", "viewer", "scripts")

# What writes a file whatever it is called with; of a module or of any object.
ALWAYS = {"write_text", "write_bytes", "tofile", "savetxt", "savez", "savez_compressed", "mkstemp", "touch"}
# Functions of modules that write, or put a file in another's place.
OF_MODULES = {
    "os": {"replace", "rename", "renames", "truncate", "mkfifo", "link", "symlink", "fdopen"},
    "shutil": {"copy", "copy2", "copyfile", "copyfileobj", "move"},
    "np": {"save"},
    "numpy": {"save"},
    "tempfile": {"NamedTemporaryFile", "TemporaryFile", "SpooledTemporaryFile", "mktemp"},
}
# Methods that write where their first argument is a path; into memory they may go anywhere.
INTO = {"save": 0, "export": 0, "dump": 1}
WRITING_FLAGS = {"O_WRONLY", "O_RDWR", "O_CREAT", "O_APPEND", "O_TRUNC"}
READING = {"r", "rb", "rt", "U"}
MEMORY = {"BytesIO", "StringIO"}


def writers(text, name="f.py"):
    """``name:line what`` for every call in a source text that opens a file for writing, or may."""
    tree = ast.parse(text)
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    in_memory = MEMORY | {c.name for c in classes if any(_name(base) in MEMORY for base in c.bases)}
    memory = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        and _name(node.value.func) in in_memory
        for target in node.targets
        if isinstance(target, ast.Name)
    }  # fmt: skip
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [f"{name}:{call.lineno} {ast.unparse(call.func)}" for call in calls if _writes(call, memory)]


def _name(node):
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _writes(call, memory):
    name = _name(call.func)
    owner = _name(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    if name in ALWAYS and owner != "write":
        return isinstance(call.func, ast.Attribute)  # the room's own functions are called by name
    if name in OF_MODULES.get(owner, ()):
        return True
    if name == "open":
        return _opens(call, owner, isinstance(call.func, ast.Attribute))
    if name in INTO and isinstance(call.func, ast.Attribute):
        place = INTO[name]
        return len(call.args) > place and _name(call.args[place]) not in memory
    return False


def _opens(call, owner, is_method):
    if owner == "os":
        return any(
            isinstance(n, ast.Attribute) and n.attr in WRITING_FLAGS
            for argument in call.args[1:]
            for n in ast.walk(argument)
        )
    place = 0 if is_method and owner not in {"io", "gzip", "codecs", "Image", "tarfile", "zipfile"} else 1
    modes = [k.value for k in call.keywords if k.arg == "mode"] + call.args[place : place + 1]
    for mode in modes:
        if isinstance(mode, ast.Constant) and isinstance(mode.value, str) and len(mode.value) <= 3:
            return mode.value not in READING
        if not is_method:
            return True  # a mode that only shows when it runs
    return False


def sources():
    return [
        path
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        if path not in (ROOM, DRAFT, LOCK)
    ]


def test_nothing_else_writes():
    found = [
        line
        for path in sources()
        for line in writers(path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix())
    ]
    assert not found


def test_the_scan_sees_what_it_looks_for():
    seen = """
class Named(Path): pass
open(p, "w"); open(p, mode="ab"); open(p, how); path.open("w"); path.open(mode="x"); io.open(p, "w+")
gzip.open(p, "wb"); os.open(p, os.O_WRONLY | os.O_CREAT); os.replace(a, b); shutil.copy(a, b)
path.write_text("x"); path.write_bytes(b""); image.save(path, "PNG"); scene.export("f.glb")
json.dump(x, file); array.tofile(p); np.save(p, a); tempfile.NamedTemporaryFile(); path.touch()
named = Named; image.save(named)
"""
    calls = sum(isinstance(node, ast.Call) for node in ast.walk(ast.parse(seen)))
    assert len(writers(seen)) == calls == 20
    unseen = """
open(p); open(p, "rb"); path.open(); path.open("r"); Image.open(p); os.open(p, os.O_RDONLY)
memory = BytesIO(); image.save(memory, "PNG"); DatFiles.open(folder); self.teleport.open(place)
write_text(p, "x"); write_bytes(p, b""); "a".replace("b", "c"); window._open(now); text.export()
class Named(BytesIO): pass
named = Named(); image.save(named)
"""
    assert not writers(unseen)


def test_the_room_itself_is_seen():
    assert writers(ROOM.read_text(encoding="utf-8"))
