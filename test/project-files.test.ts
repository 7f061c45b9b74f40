import { strict as assert } from 'node:assert'
import { accessSync, constants, existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { isAllowedLicense, listShippedPackages } from '../scripts/licenses.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const FILES = globSync('.github/**/*.{yml,md}', { cwd: root }).toSorted()

type FormField = {
  type: string
  id?: string
  attributes: { label?: string; value?: string; options?: unknown[] }
}
type Form = { name: string; description: string; body: FormField[] }
type Workflow = {
  permissions: Record<string, string>
  jobs: Record<
    string,
    { 'timeout-minutes': number; steps: Array<{ uses?: string; run?: string; with?: object }> }
  >
}

test('every YAML file of the project files can be parsed', () => {
  const files = FILES.filter((file) => file.endsWith('.yml'))
  assert.ok(files.length >= 5)
  for (const file of files) assert.doesNotThrow(() => parse(read(file)) as unknown, file)
})

test('the issue forms have what GitHub requires', () => {
  const forms = FILES.filter((file) => /ISSUE_TEMPLATE\/(?!config)/.test(file))
  assert.equal(forms.length, 2)
  for (const file of forms) {
    const { name, description, body } = parse(read(file)) as Form
    assert.ok(name.length > 3 && description.length > 3, file)
    const fields = body.filter(({ type }) => type !== 'markdown')
    assert.equal(new Set(fields.map(({ id }) => id)).size, fields.length, file)
    for (const { type, id, attributes } of body) {
      assert.match(type, /^(markdown|textarea|input|dropdown|checkboxes)$/)
      if (type === 'markdown') assert.ok(attributes.value)
      else assert.match(`${id} ${attributes.label}`, /^[a-z_-]+ \S/)
      if (/dropdown|checkboxes/.test(type)) assert.ok((attributes.options ?? []).length > 0)
    }
  }
})

test('developers work on the image that the product is built from', () => {
  const images = ['deploy/Dockerfile', '.devcontainer/Dockerfile'].map(
    (name) => /^FROM (node:\S+@sha256:[0-9a-f]{64})/m.exec(read(name))?.[1],
  )
  assert.ok(images[0] !== undefined)
  assert.equal(images[1], images[0])
})

test('the workflow of releases has a time limit and actions pinned to commits', () => {
  const { permissions, jobs } = parse(read('.github/workflows/release.yml')) as Workflow
  assert.deepEqual(permissions, { contents: 'write', 'id-token': 'write' })
  const { release } = jobs
  assert.ok(release !== undefined && release['timeout-minutes'] <= 60)
  assert.ok(release.steps.some(({ run }) => run === '.ci/run'))
  for (const { uses } of release.steps)
    if (uses !== undefined) assert.match(uses, /^actions\/[\w-]+@[0-9a-f]{40}$/)
})

test('the workflow runs .ci/run with few permissions, a time limit, and actions pinned to commits', () => {
  const { permissions, jobs } = parse(read('.github/workflows/ci.yml')) as Workflow
  assert.deepEqual(permissions, { contents: 'read' })
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } }
  for (const job of Object.values(jobs)) {
    assert.ok(job['timeout-minutes'] <= 60)
    for (const { uses, run } of job.steps) {
      if (uses !== undefined) assert.match(uses, /^actions\/[\w-]+@[0-9a-f]{40}$/)
      if (run !== undefined) accessSync(join(root, run), constants.X_OK)
    }
    const versions = job.steps.flatMap(({ with: options }) =>
      options !== undefined && 'node-version' in options ? [options['node-version']] : [],
    )
    assert.deepEqual(versions, [Number(/\d+/.exec(engines.node)?.[0])])
  }
})

test('a document shows every screenshot with a text for people who cannot see it, and they are small', () => {
  const pictures = globSync('docs/pictures/*', { cwd: root })
  const shown = ['README.md', ...globSync('docs/*.md', { cwd: root })].flatMap((file) =>
    [...read(file).matchAll(/!\[([^\]]{20,})\]\(([^)]+)\)/g)].map(([, , path = '']) =>
      join(dirname(file), path),
    ),
  )
  assert.deepEqual(shown.toSorted(), pictures.toSorted())
  for (const path of pictures) assert.ok(statSync(join(root, path)).size < 150_000, path)
})

test('every file that the project files name exists', () => {
  const named = FILES.flatMap((file) =>
    [...read(file).matchAll(/(?<![\w/@.])((?:docs|bin|\.ci)\/[\w./-]*\w|[A-Z]+\.md)/g)].map(
      ([, path = '']) => path,
    ),
  )
  assert.ok(named.length > 5)
  assert.deepEqual(
    named.filter((path) => !existsSync(join(root, path))),
    [],
  )
})

test('the packages that users get have permissive licences', () => {
  const packages = listShippedPackages(root)
  assert.ok(packages.length > 100)
  for (const bundled of ['@fontsource-variable/inter', 'moment-timezone'])
    assert.ok(packages.some(({ name }) => name === bundled))
  const sections = read('dist/console/licenses.md').split(/^(?=## \S+ - \S+ \()/m)
  assert.deepEqual(
    sections.slice(1).filter((section) => !/copyright/i.test(section)),
    [],
    'each one has its text',
  )
  assert.deepEqual(
    packages.filter((one) => !isAllowedLicense(one)),
    [],
  )
  for (const license of [
    'GPL-3.0-only',
    'none',
    'SEE LICENSE IN LICENSE',
    'MIT AND GPL-2.0',
    'BUSL-1.1',
  ])
    assert.ok(!isAllowedLicense({ name: 'x', license }), license)
  assert.ok(!isAllowedLicense({ name: 'another', license: 'MPL-2.0' }))
})
