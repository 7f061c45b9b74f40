// Lists every package that users get, with its licence. Fails on a licence that is not permissive.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Licences that allow every use, and the font's licence. A package with another licence needs a decision first. */
const ALLOWED =
  /^\(?(?:MIT(?:-0)?|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|AFL-2\.1|CC0-1\.0|OFL-1\.1|MPL-2\.0 OR Apache-2\.0)(?: OR [\w.-]+)?\)?$/

type ShippedPackage = { name: string; version: string; license: string }
type Lockfile = {
  packages: Record<string, { version?: string; license?: string; dev?: boolean }>
}

/** The packages that are installed with Hansard, and those that the built console contains. */
export function listShippedPackages(root: string): ShippedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile
  const installed = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version = '', license = 'none' }]) => ({
      name: path.replace(/^.*node_modules\//, ''),
      version,
      license,
    }))
  const texts = readFileSync(join(root, 'dist/console/licenses.md'), 'utf8')
  const bundled = [...texts.matchAll(/^## (\S+) - (\S+) \((.+)\)$/gm)].map(
    ([, name = '', version = '', license = 'none']) => ({ name, version, license }),
  )
  return [...installed, ...bundled].toSorted((a, b) => a.name.localeCompare(b.name))
}

export function isAllowedLicense({ license }: Pick<ShippedPackage, 'license'>): boolean {
  return ALLOWED.test(license)
}

if (import.meta.main) {
  const packages = listShippedPackages(join(import.meta.dirname, '..'))
  for (const { name, version, license } of packages)
    console.log(`${license.padEnd(28)} ${name}@${version}`)
  const refused = packages.filter((one) => !isAllowedLicense(one))
  for (const { name, license } of refused)
    console.error(`The licence ${license} of ${name} is not among the allowed ones.`)
  if (refused.length > 0) process.exit(1)
}
