import { strict as assert } from 'node:assert'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { requireEnv } from '../support/database/test-database.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import { createTestDataFolder } from '../support/service/service-process.ts'

test('hansard import prints the result and a link for each file, names its options, and fails if one of them fails', async () => {
  await using service = await startService({})
  const { key } = await openMeetingsClient(service)
  const files = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'files-'))
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rmSync(files, { recursive: true, force: true }))
  const write = (name: string, content: string | Buffer) => {
    writeFileSync(join(files, name), content)
    return join(files, name)
  }
  const good = write('good.vtt', 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Ada>Hi\n')
  const wide = write('wide.txt', Buffer.from('\ufeffAda: Hi\nBen: Hello', 'utf16le'))
  const bad = write('bad.vtt', 'WEBVTT\n\n00:00:05.000 --> 00:00:04.000\n<v Ada>Hi\n')
  const binary = write('binary.png', Buffer.from([0x89, 0x50, 0, 0xff]))
  await using folder = createTestDataFolder()
  const env = { ...folder.env, HANSARD_URL: service.url, HANSARD_API_KEY: key['x-api-key'] }
  const importFiles = (...args: string[]) => runLoadedCommand(['import', ...args], env)

  const both = await importFiles(
    good,
    wide,
    '--project',
    'cli',
    '--started-at',
    '2024-01-02T03:04:05Z',
  )
  assert.deepEqual([both.code, both.stderr], [0, ''])
  const [first = '', firstLink = '', second = '', secondLink = '', ...rest] =
    both.stdout.split('\n')
  assert.match(first, /good\.vtt: 1 segment, vtt, project cli$/)
  assert.match(second, /wide\.txt: 2 segments, text, project cli \(The file has no times/)
  for (const link of [firstLink, secondLink]) {
    assert.ok(link.startsWith(`  ${service.url}/meetings/meeting_`), link)
  }
  assert.deepEqual(rest, [''])

  const mixed = await importFiles(bad, good, binary, join(files, 'missing.txt'), '--project', 'cli')
  assert.equal(mixed.code, 1)
  assert.match(
    mixed.stdout,
    /good\.vtt: .+the time of the import was used; use --started-at to change/,
  )
  assert.doesNotMatch(mixed.stdout, /startedAt/)
  const errors = mixed.stderr.trimEnd().split('\n')
  assert.equal(errors.length, 3)
  assert.match(errors[0] ?? '', /bad\.vtt: The transcript cannot be read\. Line 3: The cue ends/)
  assert.match(
    errors[1] ?? '',
    /binary\.png: This is not a text file\. The name of a recording ends with \.wav/,
  )
  assert.match(errors[2] ?? '', /missing\.txt: ENOENT/)

  const asJson = await importFiles(good, bad, '--json')
  assert.equal(asJson.code, 1)
  assert.partialDeepStrictEqual(JSON.parse(asJson.stdout), [
    { file: good, imported: { platform: 'imported', format: 'vtt' } },
    { file: bad },
  ])
  const format = await importFiles(good, '--format', 'docx')
  assert.match(format.stderr, /--format: /)
  const start = await importFiles(good, '--started-at', 'yesterday')
  assert.match(start.stderr, /--started-at: /)
})
