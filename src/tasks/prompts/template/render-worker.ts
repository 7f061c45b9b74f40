// Runs in a worker thread, one render at a time, so that a long loop in a template does not block the service.
import { strict as assert } from 'node:assert'
import { parentPort } from 'node:worker_threads'
import { preventUnhandledRejection } from '../../../lib/async/await-later.ts'
import { analyzeTemplate, renderTemplate } from './render-template.ts'
import { TemplateFailure } from './template-failure.ts'
import type {
  MessageFromRenderWorker,
  MessageToRenderWorker,
  RenderRequest,
} from './template-renderer.ts'
import { createTemplateVariables } from './template-variables.ts'

assert.ok(parentPort, 'this file must run in a worker thread')
const port = parentPort
const pendingReads = new Map<number, PromiseWithResolvers<string>>()
let lastReadId = 0

port.on('message', (message: MessageToRenderWorker) => {
  if (message.type === 'render') void render(message.request).then(post)
  else if (message.type === 'analyze') post(analyze(message.body, message.firstLine))
  else settleRead(message)
})

function post(message: MessageFromRenderWorker): void {
  port.postMessage(message)
}

async function render({
  body,
  firstLine,
  inputs,
}: RenderRequest): Promise<MessageFromRenderWorker> {
  try {
    const transcripts = inputs.transcripts.map((transcript, index) => ({
      ...transcript,
      read: () => requestText(index),
    }))
    const variables = createTemplateVariables({ ...inputs, transcripts })
    return { type: 'rendered', text: await renderTemplate(body, variables, inputs.now, firstLine) }
  } catch (error) {
    return toFailureMessage(error)
  } finally {
    pendingReads.clear()
  }
}

function analyze(body: string, firstLine: number): MessageFromRenderWorker {
  try {
    return { type: 'analyzed', analysis: analyzeTemplate(body, firstLine) }
  } catch (error) {
    return toFailureMessage(error)
  }
}

function toFailureMessage(error: unknown): MessageFromRenderWorker {
  if (!(error instanceof TemplateFailure)) return { type: 'failed', error }
  const { message, line } = error
  return { type: 'invalid', message, line }
}

function requestText(index: number): Promise<string> {
  lastReadId += 1
  const read = Promise.withResolvers<string>()
  pendingReads.set(lastReadId, read)
  post({ type: 'read', readId: lastReadId, index })
  // A filter may ignore the promise.
  return preventUnhandledRejection(read.promise)
}

function settleRead(message: Extract<MessageToRenderWorker, { readId: number }>): void {
  // The render that requested the text may have ended.
  const read = pendingReads.get(message.readId)
  pendingReads.delete(message.readId)
  if (message.type === 'text') read?.resolve(message.text)
  else read?.reject(new Error(message.message))
}
