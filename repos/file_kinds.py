"""What names and folders say about a file: vendored, generated, minified, binary (pure)."""

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VENDORED_FOLDERS = _words(
    "node_modules bower_components jspm_packages vendor _vendor third_party third-party "
    "thirdparty 3rdparty godeps pods carthage site-packages dist-packages .yarn .bundle "
    "elm-stuff .pnpm web_modules .venv __pypackages__"
)
_VENDORED_NAMES = re.compile(
    r"gradlew(\.bat)?|mvnw(\.cmd)?|jquery([-.]\d+(\.\d+)*)?([-.]slim)?\.js|\.pnp\.c?js"
)

_LOCK_FILES = _words(
    "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock deno.lock poetry.lock "
    "pipfile.lock uv.lock pdm.lock pixi.lock pylock.toml conda-lock.yml requirements.lock "
    "cargo.lock go.sum go.work.sum gopkg.lock glide.lock composer.lock gemfile.lock gems.locked "
    "mix.lock rebar.lock pubspec.lock packages.lock.json project.assets.json paket.lock "
    "podfile.lock package.resolved cartfile.resolved flake.lock gradle.lockfile "
    "buildscript-gradle.lockfile .terraform.lock.hcl module.bazel.lock chart.lock "
    "cabal.project.freeze stack.yaml.lock shard.lock esy.lock buf.lock manifest.toml.lock "
    "renv.lock packrat.lock"
)
_GENERATED_FOLDERS = frozenset({"__generated__", "__snapshots__"})
_GENERATED_NAMES = re.compile(
    r".+\.pb(\.gw)?\.(go|cc|cpp|h|swift|dart|ts|js)|.+_pb2(_grpc)?\.pyi?|.+_pb\.(js|ts|d\.ts)"
    r"|.+_grpc_pb\.(js|d\.ts)|.+\.(g|freezed|mocks)\.dart|.+\.(designer|g|g\.i)\.(cs|vb)"
    r"|.+[._]generated\.[a-z0-9]+|zz_generated.*\.go|.+\.tsbuildinfo"
)
_MINIFIED_NAMES = re.compile(r".+[.-]min\.(js|mjs|cjs|css)")
_SOURCE_MAPS = re.compile(r".+\.(js|mjs|cjs|css|ts)\.map")
_WEB_SUFFIXES = _words("js mjs cjs jsx ts mts cts tsx css html htm")
_SETTINGS_SUFFIXES = _words("yml yaml json jsonc json5 toml ini cfg conf xml properties env tpl")
_PROSE_SUFFIXES = _words("md mdx markdown rst txt adoc asciidoc org tex")

_BINARY_SUFFIXES: dict[str, str] = {
    suffix: kind
    for kind, suffixes in {
        "image": "png jpg jpeg jpe gif bmp ico icns webp avif heic heif tif tiff psd xcf "
        "cr2 nef dds tga exr hdr jp2 jxl cur",
        "font": "ttf otf woff woff2 eot pfb pfm ttc",
        "audio": "mp3 wav ogg oga flac aac m4a wma aif aiff mid midi opus",
        "video": "mp4 m4v mov avi mkv webm wmv flv mpg mpeg 3gp ogv",
        "archive": "zip gz tgz bz2 tbz2 xz txz zst lz lz4 lzma 7z rar tar jar war ear aar apk ipa "
        "whl egg gem nupkg deb rpm crate cab iso dmg pkg msi xpi crx vsix cpio",
        "compiled file": "exe dll so dylib a lib o obj ko class pyc pyo pyd elc beam wasm rlib "
        "pdb ilk gmo pch bc node dex luac",
        "document": "pdf doc docx xls xlsx ppt pptx odt ods odp odg epub mobi djvu "
        "chm vsd vsdx rtfd",
        "data file": "bin db sqlite sqlite3 mdb accdb parquet avro orc feather arrow h5 hdf5 "
        "npy npz pkl pickle joblib sav dta rocksdb ldb mmdb tfrecord "
        "dump",
        "model file": "onnx pt pth ckpt safetensors gguf ggml tflite caffemodel mlmodel keras "
        "weights",
        "design or 3D file": "sketch blend fbx glb 3ds stl dwg skp",
        "binary lock file": "lockb",
    }.items()
    for suffix in suffixes.split()
}


def vendored_by_name(path: str) -> str | None:
    """Why the path is other people's code by convention, or None."""
    *folders, name = path.lower().split("/")
    for folder in folders:
        if folder in _VENDORED_FOLDERS:
            return f"vendored: inside {folder}/"
    return "vendored: a copied tool or library" if _VENDORED_NAMES.fullmatch(name) else None


def generated_by_name(path: str) -> str | None:
    """Why the path is written by a tool by convention, or None."""
    *folders, name = path.lower().split("/")
    if name in _LOCK_FILES:
        return "generated: lock file"
    for folder in folders:
        if folder in _GENERATED_FOLDERS or folder.endswith(".docset"):
            return f"generated: inside {folder}/"
    return "generated: the name of a tool's output" if _GENERATED_NAMES.fullmatch(name) else None


def minified_by_name(path: str) -> str | None:
    """Why the path is a bundle or a source map by its name, or None."""
    name = _name(path)
    if _SOURCE_MAPS.fullmatch(name):
        return "source map"
    return "minified: named .min" if _MINIFIED_NAMES.fullmatch(name) else None


def binary_by_name(path: str) -> str | None:
    """Which kind of binary the suffix stands for, or None."""
    kind = _BINARY_SUFFIXES.get(_suffix(path))
    return f"binary: {kind} (.{_suffix(path)})" if kind else None


def may_be_minified(path: str) -> bool:
    """Whether tools squeeze files of this kind; data and prose with long lines stay in."""
    return _suffix(path) in _WEB_SUFFIXES


def is_prose(path: str) -> bool:
    """Prose may speak of generated code without being it."""
    return _suffix(path) in _PROSE_SUFFIXES


def is_settings(path: str) -> bool:
    """Settings and lists that people go on with, whoever wrote the first version."""
    return _name(path).startswith(".") or _suffix(path) in _SETTINGS_SUFFIXES


def _name(path: str) -> str:
    return path.rpartition("/")[2].lower()


def _suffix(path: str) -> str:
    stem, dot, suffix = _name(path).rpartition(".")
    return suffix if dot and stem else ""
