import { strict as assert } from 'node:assert'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { OperatorError } from '../../lib/operator-error.ts'
import {
  toModelToolName,
  parseToolReference,
  readToolServers,
  listToolServerSecrets,
} from './tool-server-settings.ts'

function writeServersFile(t: TestContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-servers-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'servers.yaml')
  writeFileSync(file, text)
  return file
}

test('the MCP servers file defines servers with a URL or a command', (t) => {
  const servers = readToolServers(
    writeServersFile(
      t,
      'wiki: { url: "https://wiki.example/path-key-0123456/mcp?k=query-key&x=1", headers: { Authorization: Bearer abcdef } }\nlocal: { command: wiki, env: { T: secret-value, DEBUG: "1" } }\n',
    ),
  )
  const [wiki, local] = [servers.get('wiki'), servers.get('local')]
  assert.ok(wiki && local)
  assert.deepEqual(listToolServerSecrets(wiki), [
    'path-key-0123456',
    'k=query-key&x=1',
    'Bearer abcdef',
    'query-key',
    'abcdef',
  ])
  assert.deepEqual(listToolServerSecrets(local), ['secret-value'])
  assert.equal(readToolServers(undefined).size, 0)
  assert.equal(readToolServers(writeServersFile(t, '')).size, 0)
})

test('an invalid MCP servers file is refused without showing its content', (t) => {
  const invalidFiles = [
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
  for (const text of invalidFiles) {
    assert.throws(
      () => readToolServers(writeServersFile(t, text)),
      (error) =>
        error instanceof OperatorError &&
        !error.message.includes('secret-key') &&
        error.fix?.includes('HANSARD_AI_MCP_FILE') === true,
      text,
    )
  }
  assert.throws(() => readToolServers('/nowhere/servers.yaml'), OperatorError)
})

test('MCP tool names of prompts are parsed and converted into names that providers accept', () => {
  assert.deepEqual(parseToolReference('mcp:wiki'), { server: 'wiki', tool: null })
  assert.deepEqual(parseToolReference('mcp:wiki:a.b'), { server: 'wiki', tool: 'a.b' })
  assert.equal(parseToolReference('read_document'), null)
  assert.equal(toModelToolName('wiki', 'a.b', new Set()), 'wiki_a_b')
  assert.equal(toModelToolName('wiki', 'a-b', new Set(['wiki_a-b'])), 'wiki_a-b_2')
  assert.equal(toModelToolName('wiki', 'x'.repeat(100), new Set()).length, 64)
})
