import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import specs from '@asyncapi/specs'
import { Ajv } from 'ajv'
import { EVENT_TYPES } from '../../src/meetings/event-types.ts'
import { startServiceForFile } from '../support/service-for-file.ts'

const sharedService = startServiceForFile()

type AsyncApiDocument = {
  channels: Record<string, { address: string | null; messages: Record<string, object> }>
  components: Record<string, Record<string, unknown>>
}

async function readDocument(): Promise<AsyncApiDocument> {
  const client = await sharedService().adminClient()
  const { status, body } = await client.get('/asyncapi.json')
  assert.equal(status, 200)
  return body as AsyncApiDocument
}

test('/asyncapi.json follows the published schema of AsyncAPI 3', async () => {
  // The formats of the schema are about addresses that a person wrote.
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true })
  const schema: object = specs.schemasWithoutId['3.0.0']
  const document = await readDocument()
  assert.ok(ajv.validate(schema, document), ajv.errorsText())
  const withoutAction = { ...document, operations: { callbacks: { channel: {} } } }
  assert.equal(ajv.validate(schema, withoutAction), false, 'the schema is really checked')
})

test('/asyncapi.json describes every event in every channel, and each reference leads somewhere', async () => {
  const document = await readDocument()
  for (const { messages } of Object.values(document.channels))
    assert.deepEqual(Object.keys(messages), EVENT_TYPES)
  assert.deepEqual(
    Object.values(document.channels).map(({ address }) => address),
    [null, '/api/v1/meetings/{meetingId}/events/stream', '/api/v1/events/stream'],
  )
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)]
  assert.ok(references.length > EVENT_TYPES.length)
  for (const [, path = ''] of references) {
    const target = path
      .split('/')
      .reduce<unknown>(
        (part, key) => (part as Record<string, unknown> | undefined)?.[key],
        document,
      )
    assert.equal(typeof target, 'object', path)
  }
})

test('the streams that /asyncapi.json names are paths of the API', async () => {
  const client = await sharedService().adminClient()
  const { body } = await client.get('/openapi.json')
  const { paths } = body as { paths: Record<string, object> }
  for (const { address } of Object.values((await readDocument()).channels))
    if (address !== null) assert.ok(address in paths, address)
})
