import { createConcurrencyLimit } from '../../../lib/async/queues/concurrency-limit.ts'
import type { Log } from '../../../log.ts'
import type { ParsedPrompt } from '../parse-prompt.ts'
import type { SentTranscript } from './render-messages.ts'
import { startRenderThread, type RenderThread, type RenderThreadOptions } from './render-thread.ts'
import type { TemplateInputs } from './template-variables.ts'

/** Renders templates in worker threads, so that a template that takes long does not block the service. */
export interface TemplateRenderer extends AsyncDisposable {
  /** Throws a `TemplateFailure` when the template is invalid or exceeds a limit. */
  render(prompt: Pick<ParsedPrompt, 'body' | 'bodyLine'>, inputs: TemplateInputs): Promise<string>
}

type Options = { log: Log; maxThreads: number } & Partial<RenderThreadOptions>

/** Far above the render limit, because a busy machine may delay a thread. */
const STUCK_AFTER_MS = 60_000
const MAX_MEMORY_MB = 256

/** Threads start when they are needed and then stay, so that only the first render waits for a start. */
export function createTemplateRenderer(options: Options): TemplateRenderer {
  const { maxThreads, ...threadOptions } = options
  const limit = createConcurrencyLimit(maxThreads)
  const threads = new Set<RenderThread>()
  const idle: RenderThread[] = []

  const takeThread = (): RenderThread => {
    for (let thread = idle.pop(); thread !== undefined; thread = idle.pop()) {
      if (!thread.isEnded()) return thread
      threads.delete(thread)
    }
    const started = startRenderThread({
      stuckAfterMs: STUCK_AFTER_MS,
      maxMemoryMb: MAX_MEMORY_MB,
      ...threadOptions,
    })
    threads.add(started)
    return started
  }
  return {
    render: ({ body, bodyLine }, inputs) =>
      limit(async () => {
        const thread = takeThread()
        try {
          const transcripts = inputs.transcripts.map(withoutRead)
          return await thread.render(
            { body, firstLine: bodyLine, inputs: { ...inputs, transcripts } },
            async (index) => (await inputs.transcripts[index]?.read()) ?? '',
          )
        } finally {
          idle.push(thread)
        }
      }),
    async [Symbol.asyncDispose]() {
      await Promise.all([...threads].map((thread) => thread[Symbol.asyncDispose]()))
    },
  }
}

/** A function cannot be sent to a thread. */
function withoutRead(transcript: TemplateInputs['transcripts'][number]): SentTranscript {
  const { read: _read, ...sent } = transcript
  return sent
}
