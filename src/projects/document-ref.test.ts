import { strict as assert } from 'node:assert'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { MAX_OPEN_ATTEMPTS, openDocumentAt, PROJECTS_ROOT } from './document-ref.ts'

const REF = { project: 'sales', path: 'plan.md' }

function createProjectFolder() {
  const root = mkdtempSync(join(tmpdir(), 'hansard-document-'))
  const folder = join(root, PROJECTS_ROOT, REF.project)
  mkdirSync(folder, { recursive: true })
  return { root, folder, [Symbol.dispose]: () => rmSync(root, { recursive: true }) }
}

test('a document that is replaced by a new version while it is opened is found', async () => {
  using opened = createProjectFolder()
  const { root, folder } = opened
  const file = join(folder, REF.path)
  writeFileSync(file, 'first version')
  const replaceOften = async () => {
    // An attempt fails only if the file was replaced during it, so one replacement fewer than attempts is allowed.
    for (let i = 1; i < MAX_OPEN_ATTEMPTS; i += 1) {
      writeFileSync(join(folder, 'new'), `version ${i}`)
      renameSync(join(folder, 'new'), file)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  for (let round = 0; round < 100; round += 1) {
    const [handle] = await Promise.all([openDocumentAt(root, REF), replaceOften()])
    assert.notEqual(handle, null)
    await handle?.close()
  }
})

test('a symbolic link, a folder and a missing document are not opened', async () => {
  using opened = createProjectFolder()
  const { root, folder } = opened
  assert.equal(await openDocumentAt(root, REF), null)
  mkdirSync(join(folder, REF.path))
  assert.equal(await openDocumentAt(root, REF), null)
  writeFileSync(join(root, 'secret'), 'secret')
  symlinkSync(join(root, 'secret'), join(folder, 'link.md'))
  assert.equal(await openDocumentAt(root, { ...REF, path: 'link.md' }), null)
})
