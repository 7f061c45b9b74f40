import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { readTextChunks } from './text-chunks.ts'

test('a response that is not read to its end is cancelled', async () => {
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('a')),
    cancel: () => void (isCancelled = true),
  })
  for await (const chunk of readTextChunks(new Response(body))) {
    assert.equal(chunk, 'a')
    break
  }
  assert.ok(isCancelled)
})
