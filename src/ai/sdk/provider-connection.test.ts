import { strict as assert } from 'node:assert'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { startLoopbackServer } from '../../../test/support/callbacks/loopback-receivers.ts'
import { PROVIDERS } from '../providers.ts'

test('no provider follows a redirect, which would give its API key to another server', async () => {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    response.writeHead(307, { location: '/other' }).end()
  })
  await using started = await startLoopbackServer(server)
  for (const [name, { load }] of Object.entries(PROVIDERS)) {
    paths.length = 0
    const { createLanguageModel } = await load()
    const connection = { model: 'm', apiKey: 'secret', baseUrl: `http://127.0.0.1:${started.port}` }
    const model = createLanguageModel(connection) as {
      doGenerate(options: object): PromiseLike<unknown>
    }
    const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]
    await assert.rejects(async () => model.doGenerate({ prompt }), { statusCode: 307 }, name)
    assert.equal(paths.length, 1, name)
    assert.notEqual(paths[0], '/other')
  }
})
