import { strict as assert } from 'node:assert'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { listPrompts, readPrompt } from './prompt-files.ts'
import { createFolderPrompts } from './store/folder-prompts.ts'

/** Creates a prompts folder next to files that prompts must not read. */
function createPromptsFolder(t: TestContext, files: Record<string, string> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'hansard-prompts-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, 'outside'))
  writeFileSync(join(root, 'outside', 'secret.md'), 'The secret')
  writeFileSync(join(root, 'secret.md'), 'The secret')
  const dir = join(root, 'scheduled-prompts')
  mkdirSync(dir)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  return dir
}

async function readState(dir: string, name: string): Promise<string> {
  const reading = await readPrompt(createFolderPrompts(dir), name)
  return reading.state === 'broken'
    ? reading.problems.map(({ message }) => message).join()
    : reading.state
}

const LINK_MESSAGE = 'The file or one of its folders is a link; links are not followed'

test('a prompt is read by its path in the folder, with the hash of its bytes', async (t) => {
  const text = '---\nretries: 2\n---\nHello\n'
  const dir = createPromptsFolder(t, { 'team/weekly.md': text })
  const reading = await readPrompt(createFolderPrompts(dir), 'team/weekly')
  assert.ok(reading.state === 'ready')
  assert.equal(reading.prompt.name, 'team/weekly')
  assert.equal(reading.prompt.body, 'Hello\n')
  assert.equal(reading.prompt.settings.retries, 2)
  assert.equal(reading.prompt.sha256, createHash('sha256').update(text).digest('hex'))
})

test('each read returns the current text of a prompt, or that it is missing', async (t) => {
  const dir = createPromptsFolder(t, { 'a.md': 'One' })
  const bodyOf = async () => {
    const reading = await readPrompt(createFolderPrompts(dir), 'a')
    return reading.state === 'ready' ? reading.prompt.body : reading.state
  }
  assert.equal(await bodyOf(), 'One')
  writeFileSync(join(dir, 'a.md'), 'Two')
  assert.equal(await bodyOf(), 'Two')
  rmSync(join(dir, 'a.md'))
  assert.equal(await bodyOf(), 'missing')
})

test('a prompt is missing when its file, a parent folder or the prompts folder does not exist', async (t) => {
  const dir = createPromptsFolder(t, { 'a.md': 'One' })
  for (const name of ['b', 'a/b', 'c/d', 'A']) {
    // On a case-insensitive file system, the name exists and is refused.
    assert.match(await readState(dir, name), name === 'A' ? /^(?:missing|A link)/ : /^missing$/)
  }
  assert.equal(await readState(join(dir, 'none'), 'a'), 'missing')
  assert.deepEqual(await listPrompts(createFolderPrompts(join(dir, 'none'))), [])
})

test('no prompt name leads out of the prompts folder', async (t) => {
  const dir = createPromptsFolder(t, { 'sub/a.md': 'One' })
  const names = [
    '../secret',
    'sub/../../secret',
    join(dir, '../secret'),
    '..',
    '',
    'a\0',
    '../outside/secret',
  ]
  for (const name of names)
    assert.match(await readState(dir, name), /^A prompt name consists of letters/)
})

test('a prompt file or folder that is a symbolic link is refused', async (t) => {
  const dir = createPromptsFolder(t, { 'real.md': 'Real', 'folder/a.md': 'A' })
  symlinkSync('../secret.md', join(dir, 'out.md'))
  symlinkSync('real.md', join(dir, 'in.md'))
  symlinkSync('nowhere.md', join(dir, 'dangling.md'))
  symlinkSync('loop.md', join(dir, 'loop.md'))
  symlinkSync('../outside', join(dir, 'away'))
  symlinkSync('folder', join(dir, 'near'))
  symlinkSync('.', join(dir, 'round'))
  for (const name of ['out', 'in', 'dangling', 'loop', 'away/secret', 'near/a', 'round/real']) {
    assert.equal(await readState(dir, name), LINK_MESSAGE, name)
  }
  const listed = await listPrompts(createFolderPrompts(dir))
  assert.deepEqual(
    listed.map(({ name, problems }) => [name, problems[0]?.message ?? 'fine']),
    [
      ['away', LINK_MESSAGE],
      ['dangling.md', LINK_MESSAGE],
      ['folder/a', 'fine'],
      ['in.md', LINK_MESSAGE],
      ['loop.md', LINK_MESSAGE],
      ['near', LINK_MESSAGE],
      ['out.md', LINK_MESSAGE],
      ['real', 'fine'],
      ['round', LINK_MESSAGE],
    ],
  )
})

test('the prompts folder itself may be a symbolic link', async (t) => {
  const dir = createPromptsFolder(t, { 'a.md': 'One' })
  const link = join(dirname(dir), 'link')
  symlinkSync(dir, link)
  assert.equal(await readState(link, 'a'), 'ready')
  assert.equal((await listPrompts(createFolderPrompts(link))).length, 1)
})

test('a prompt file over the size limit is refused without reading all of it', async (t) => {
  const dir = createPromptsFolder(t, { 'huge.md': 'x', 'limit.md': 'x'.repeat(256 * 1024) })
  truncateSync(join(dir, 'huge.md'), 2 ** 33)
  writeFileSync(join(dir, 'above.md'), 'x'.repeat(256 * 1024 + 1))
  assert.equal(await readState(dir, 'huge'), 'The file is larger than 256 KiB')
  assert.equal(await readState(dir, 'above'), 'The file is larger than 256 KiB')
  assert.equal(await readState(dir, 'limit'), 'ready')
})

test(
  'folders, pipes and sockets under the name of a prompt are refused and never waited for',
  { skip: process.platform === 'win32' },
  async (t) => {
    const dir = createPromptsFolder(t, { 'folder.md/a.md': 'One' })
    execFileSync('mkfifo', [join(dir, 'pipe.md')])
    const server = createServer().listen(join(dir, 'socket.md'))
    await once(server, 'listening')
    t.after(() => server.close())
    for (const name of ['folder', 'pipe', 'socket']) {
      assert.equal(await readState(dir, name), 'Not a regular file', name)
    }
    const listed = await listPrompts(createFolderPrompts(dir))
    assert.deepEqual(
      listed.map(({ name }) => name),
      ['folder.md', 'pipe', 'socket'],
    )
  },
)

test('the list has every prompt sorted by name, with its settings or its problems', async (t) => {
  const dir = createPromptsFolder(t, {
    'zeta.md': 'Z',
    'alpha.md': '---\ndescription: First\n---\nA',
    'team/deep/b.md': 'B',
    'typo.md': '---\nmodle: x\n---\nT',
    'bad name.md': 'N',
    'Loud.MD': 'L',
    'odd folder/x.md': 'X',
    'notes.txt': 'not a prompt',
    '.hidden.md': 'H',
    '.git/config.md': 'G',
  })
  const listed = await listPrompts(createFolderPrompts(dir))
  assert.deepEqual(
    listed.map(({ name, settings, problems }) => [
      name,
      settings === null ? problems.map(({ message }) => message.slice(0, 24)).join() : 'fine',
    ]),
    [
      ['Loud.MD', 'A prompt name consists o'],
      ['alpha', 'fine'],
      ['bad name', 'A prompt name consists o'],
      ['odd folder', 'A prompt name consists o'],
      ['team/deep/b', 'fine'],
      ['typo', 'Unknown key; did you mea'],
      ['zeta', 'fine'],
    ],
  )
  assert.equal(listed[1]?.settings?.description, 'First')
})
