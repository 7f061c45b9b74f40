import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** What the package and the image contain, in the format CycloneDX. */
export const SBOM_FILE = 'dist/sbom.cdx.json'

type Component = {
  'bom-ref': string
  name: string
  version: string
  properties?: Array<{ name: string; value: string }>
}
export type Sbom = {
  metadata: { component: Component & { type: string } }
  components: Component[]
  dependencies: Array<{ ref: string; dependsOn: string[] }>
}

/** Writes the bill of materials: the packages that are installed, and those that the built console contains. */
export async function writeSbom(root: string): Promise<void> {
  const [command, ...first] = npmProgram()
  const args = [...first, 'sbom', '--package-lock-only', '--sbom-format', 'cyclonedx']
  const limits = { maxBuffer: 64 << 20, timeout: 120_000 }
  const { stdout } = await promisify(execFile)(command, args, { cwd: root, ...limits })
  const sbom = chooseShipped(JSON.parse(stdout) as Sbom, listConsolePackages(root))
  writeFileSync(join(root, SBOM_FILE), `${JSON.stringify(sbom, null, 2)}\n`)
}

/** The npm that runs this script, or the one in the path. */
export function npmProgram(): [command: string, ...args: string[]] {
  const script = process.env['npm_execpath'] ?? ''
  return script.endsWith('.js') ? [process.execPath, script] : ['npm']
}

/** The packages that the console contains, as `name@version`. */
export function listConsolePackages(root: string): Set<string> {
  const licenses = readFileSync(join(root, 'dist/console/licenses.md'), 'utf8')
  const named = licenses.matchAll(/^## (\S+) - (\S+) \(/gm)
  return new Set([...named].map(([, name, version]) => `${name}@${version}`))
}

function chooseShipped(sbom: Sbom, consolePackages: ReadonlySet<string>): Sbom {
  const components = sbom.components.filter(
    ({ name, version, properties = [] }) =>
      consolePackages.has(`${name}@${version}`) ||
      !properties.some((property) => property.name === 'cdx:npm:package:development'),
  )
  const root = sbom.metadata.component
  const shipped = new Set([root, ...components].map((component) => component['bom-ref']))
  return {
    ...sbom,
    // npm calls a package that has no folder of its own "main".
    metadata: { ...sbom.metadata, component: { ...root, type: 'application', name: 'hansard' } },
    components,
    dependencies: sbom.dependencies
      .filter(({ ref }) => shipped.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((to) => shipped.has(to)) })),
  }
}
