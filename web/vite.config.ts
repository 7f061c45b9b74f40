import { readFileSync } from 'node:fs'
import packedZones from 'moment-timezone/data/packed/latest.json' with { type: 'json' }
import { defineConfig, type Plugin } from 'vite'
import { createZoneDataModule } from './build/zone-data-module.ts'

const LICENSES_FILE = 'licenses.md'

/** Replaces the package's time zone database with a smaller module that has the same data for the future. */
function smallerZoneData(): Plugin {
  const id = '\0zone-data'
  return {
    name: 'smaller-zone-data',
    enforce: 'pre',
    resolveId: (source) => (source === 'moment-timezone/data/packed/latest.json' ? id : null),
    load: (loaded) => (loaded === id ? createZoneDataModule(packedZones) : null),
  }
}

/** Packages without a licence file, mapped to a package of the same author with the same text. */
const SAME_LICENSE = { 'react-remove-scroll-bar': 'react-remove-scroll' }

/** Adds to the licences what Vite doesn't have: missing texts of packages, and the origin of the time zone data. */
function completeLicenses(): Plugin {
  return {
    name: 'complete-licenses',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const file = bundle[LICENSES_FILE]
        if (file?.type !== 'asset') throw new Error('the file with the licences is missing')
        const sections = String(file.source).split(/^(?=## \S+ - \S+ \()/m)
        const textOf = (name: string) =>
          (sections.find((one) => one.startsWith(`## ${name} - `)) ?? '').replace(/^.*\n/, '')
        const completed = sections.map((section) => {
          const name = Object.keys(SAME_LICENSE).find((one) => section.startsWith(`## ${one} - `))
          if (name === undefined) return section
          return section.trimEnd() + '\n' + textOf(SAME_LICENSE[name as keyof typeof SAME_LICENSE])
        })
        const zones = new URL('../node_modules/moment-timezone/', import.meta.url)
        const { version } = JSON.parse(readFileSync(new URL('package.json', zones), 'utf8')) as {
          version: string
        }
        const text = readFileSync(new URL('LICENSE', zones), 'utf8')
        file.source = `${completed.join('')}\n## moment-timezone - ${version} (MIT)\n\n${text}`
      },
    },
  }
}

const SCRIPT = /\.(?:mjs|js|tsx?)$/
/** Modules that several pages use, but not the first page. */
const NOT_COMMON =
  /\/web\/(?:ask|decisions|meetings\/recap-items|prompts|tasks(?!\/queries)|ui\/difference)\/|\/web\/actions\/action-item|\/src\/tasks\/|zone-data|\/src\/lib\/(?:text|time)\/|node_modules\/cronstrue\//

export default defineConfig({
  base: '/',
  plugins: [smallerZoneData(), completeLicenses()],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    assetsDir: 'assets',
    target: 'es2023',
    // Recent browsers only, so that light-dark() is not rewritten. The rewritten form ignores Mantine's theme.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    sourcemap: false,
    // The packages' licences require that their texts are shipped with the console.
    license: { fileName: LICENSES_FILE },
    // The content security policy forbids data: URLs, so no assets are inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // One file for modules that several pages use. Rolldown would make fifty small ones, each with its own request.
        // The question box stays separate, because its styles must come after the console's. So do tasks and their
        // schedules, because they need all time zones.
        codeSplitting: {
          groups: [
            {
              name: (id) => (NOT_COMMON.test(id) || !SCRIPT.test(id) ? null : 'common'),
              minShareCount: 4,
            },
          ],
        },
      },
    },
  },
})
