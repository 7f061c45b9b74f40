// Lists every package that users get, with its licence. Fails on a licence that is not permissive.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Licences that allow every use, and the font's licence. A package with another licence needs a decision first. */
const ALLOWED =
  /^\(?(?:MIT(?:-0)?|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|AFL-2\.1|CC0-1\.0|OFL-1\.1|MPL-2\.0 OR Apache-2\.0)(?: OR [\w.-]+)?\)?$/

/** Packages with another licence, each with its decision. MPL-2.0 covers only the package's own files, used unchanged. */
const DECIDED: Readonly<Record<string, string>> = {
  // docs/decisions/0025-recordings-wait-encrypted-in-the-database.md
  mediabunny: 'MPL-2.0',
}

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

export function isAllowedLicense({ name, license }: Omit<ShippedPackage, 'version'>): boolean {
  return ALLOWED.test(license) || DECIDED[name] === license
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
