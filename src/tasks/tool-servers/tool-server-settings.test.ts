import { strict as assert } from 'node:assert'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { OperatorError } from '../../errors.ts'
import { toModelToolName, parseToolReference } from './tool-names.ts'
import { readToolServers, listSecrets } from './tool-server-settings.ts'

function write(t: TestContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-servers-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'servers.yaml')
  writeFileSync(file, text)
  return file
}

test('the file of MCP servers has addresses and commands by name', (t) => {
  const servers = readToolServers(
    write(
      t,
      'wiki: { url: "https://wiki.example/mcp?k=query-key", headers: { Authorization: Bearer abcdef } }\nlocal: { command: wiki, env: { T: secret-value, DEBUG: "1" } }\n',
    ),
  )
  const [wiki, local] = [servers.get('wiki'), servers.get('local')]
  assert.ok(wiki && local)
  assert.deepEqual(listSecrets(wiki), ['Bearer abcdef', 'abcdef', 'k=query-key'])
  assert.deepEqual(listSecrets(local), ['secret-value', 'secret-value'])
  assert.equal(readToolServers(undefined).size, 0)
  assert.equal(readToolServers(write(t, '')).size, 0)
})

test('a file of MCP servers that cannot be meant is refused without showing what is in it', (t) => {
  const wrong = [
    'wiki: { url: "ftp://wiki/secret-key" }',
    'wiki: { url: "https://secret-key:secret-key@wiki/" }',
    'wiki: { command: "" , env: { A: secret-key } }',
    'wiki: { url: "https://wiki/", token: secret-key }',
    'Wiki!: { url: "https://wiki/" }',
    'wiki: { url: "https://wiki/", headers: { "a b": secret-key } }',
    'wiki: [secret-key',
    '- secret-key',
    'a: &a { command: secret-key }\nb: *a',
  ]
  for (const text of wrong) {
    assert.throws(
      () => readToolServers(write(t, text)),
      (error) => error instanceof OperatorError && !error.message.includes('secret-key'),
      text,
    )
  }
  assert.throws(() => readToolServers('/nowhere/servers.yaml'), OperatorError)
})

test('names of tools of servers are read from prompts, and written as providers take them', () => {
  assert.deepEqual(parseToolReference('mcp:wiki'), { server: 'wiki', tool: null })
  assert.deepEqual(parseToolReference('mcp:wiki:a.b'), { server: 'wiki', tool: 'a.b' })
  assert.equal(parseToolReference('read_document'), null)
  assert.equal(toModelToolName('wiki', 'a.b', new Set()), 'wiki_a_b')
  assert.equal(toModelToolName('wiki', 'a-b', new Set(['wiki_a-b'])), 'wiki_a-b_2')
  assert.equal(toModelToolName('wiki', 'x'.repeat(100), new Set()).length, 64)
})
