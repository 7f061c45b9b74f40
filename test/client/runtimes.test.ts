import { strict as assert } from 'node:assert'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import { openBrowser, openIsolatedWindow } from '../support/browser/open-browser.ts'
import { runProgram } from '../support/service/run-program.ts'
import { systemNode, skipWithoutSystemNode } from '../support/service/system-node.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import type { TestService } from '../support/service/start-service.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'

let service: TestService
let apiKey: string
let folder: string
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hansard-client-'))
  service = await startService(
    {},
    {
      routes(app) {
        const config = { access: 'open', subject: 'none' } as const
        app.get('/page', { config }, async (_request, reply) =>
          reply.type('text/html; charset=utf-8').send('<!doctype html><title>Page</title>'),
        )
        app.get<{ Params: { file: string } }>('/client/:file', { config }, async (request, reply) =>
          reply
            .type('text/javascript; charset=utf-8')
            .send(readFileSync(join(INSTALLATION_FOLDER, 'client', request.params.file))),
        )
      },
    },
  )
  apiKey = (await openMeetingsClient(service)).key['x-api-key']
})
after(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** Typical first use: start a meeting, read its events to the end, handle an error. */
const TRY = `
async function tryIt(module, url, apiKey) {
  const { createClient, HansardError } = await import(module)
  const client = createClient({ url, apiKey })
  const { meetingId } = await client.meetings.start({
    url: 'practice://host-ends?speed=1000',
    callbackUrl: 'http://127.0.0.1:9/hook',
  })
  const types = new Set()
  for await (const event of client.meetings.events(meetingId, { after: 0 })) types.add(event.type)
  const error = await client.meetings.get('nobody').catch((error) => error)
  return [types.has('segment_finalized'), error instanceof HansardError, error.code].join(' ')
}`
const EXPECTED = 'true true meeting_not_found'

test(
  'a copy of the client works with the Node version of the system',
  { skip: skipWithoutSystemNode },
  async () => {
    cpSync(join(INSTALLATION_FOLDER, 'client'), join(folder, 'client'), { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(
      join(folder, 'try.js'),
      `${TRY}\nconsole.log(await tryIt('./client/index.js', ...process.argv.slice(2)))`,
    )
    const { code, stdout, stderr } = await runProgram([
      systemNode ?? '',
      join(folder, 'try.js'),
      service.url,
      apiKey,
    ])
    assert.deepEqual([code, stdout, stderr], [0, `${EXPECTED}\n`, ''])
  },
)

test('the client works on a page in Chromium', async () => {
  await using browser = await openBrowser()
  await using window = await openIsolatedWindow(browser, service.url)
  await window.page.goto(`${service.url}/page`)
  const call = `(${TRY.trim()})('/client/index.js', '/', ${JSON.stringify(apiKey)})`
  assert.equal(await window.page.evaluate(call), EXPECTED)
  assert.deepEqual([window.pageErrors, window.blockedRequests], [[], []])
})

const skip = IS_FULL_SIZE ? false : 'only with TEST_SIZE=full'

test('a client that swagger-typescript-api generates compiles and works', { skip }, async () => {
  const { generateApi } = await import('swagger-typescript-api')
  const output = join(folder, 'generated')
  const spec = service.openapi()
  await generateApi({ spec, output, fileName: 'api.ts', silent: true, httpClientType: 'fetch' })
  writeFileSync(
    join(output, 'use.ts'),
    `import { Api } from './api.ts'
    const [, , baseUrl = '', key = ''] = process.argv
    const api = new Api({ baseUrl, baseApiParams: { headers: { 'x-api-key': key }, format: 'json' } })
    const { data } = await api.api.meetingsStart({ url: 'practice://denied?speed=1000', callbackUrl: 'http://127.0.0.1:9/' })
    const { data: found } = await api.api.meetingsGet(data.meetingId)
    const platform: 'google_meet' | 'microsoft_teams' | 'galene' | 'livekit' | 'practice' | 'imported' = found.meeting.platform
    console.log(platform)`,
  )
  const types = join(INSTALLATION_FOLDER, 'node_modules/@types')
  const strict = [
    '--ignoreConfig',
    '--strict',
    '--noEmit',
    '--target',
    'es2023',
    '--module',
    'nodenext',
  ]
  const options = [
    ...strict,
    '--allowImportingTsExtensions',
    '--typeRoots',
    types,
    '--types',
    'node',
  ]
  const tsc = join(INSTALLATION_FOLDER, 'node_modules/typescript/bin/tsc')
  const checked = await runProgram([process.execPath, tsc, ...options, join(output, 'use.ts')])
  assert.equal(checked.stdout + checked.stderr, '')
  const flags = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning']
  const program = [...flags, join(output, 'use.ts'), service.url, apiKey]
  const used = await runProgram([process.execPath, ...program])
  assert.deepEqual([used.stdout, used.stderr], ['practice\n', ''])
})
