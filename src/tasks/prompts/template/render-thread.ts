import { Worker } from 'node:worker_threads'
import { errorCode, errorMessageOf } from '../../../lib/error-code.ts'
import { workerModuleUrl } from '../../../lib/files/module-url.ts'
import type { Log } from '../../../log.ts'
import type { TemplateAnalysis } from './analyze-template.ts'
import type {
  MessageFromRenderWorker,
  MessageToRenderWorker,
  RenderRequest,
} from './render-messages.ts'
import { TemplateFailure } from './template-failure.ts'

/** A worker thread that renders one template at a time. */
export interface RenderThread extends AsyncDisposable {
  isEnded(): boolean
  /** `readText` returns the text of the transcript at an index. */
  render(request: RenderRequest, readText: (index: number) => Promise<string>): Promise<string>
  analyze(body: string, firstLine: number): Promise<TemplateAnalysis>
}

/** What the thread does now. Each kind of work expects one kind of result. */
type Work = {
  onText(text: string): void
  onAnalysis(analysis: TemplateAnalysis): void
  reject(error: unknown): void
  readText(index: number): Promise<string>
}

export type RenderThreadOptions = {
  log: Log
  /** A thread that sends nothing for this time is ended. It may be in a filter that does not check the render limit. */
  stuckAfterMs: number
  /** A template that needs more memory ends the thread, but not the service. */
  maxMemoryMb: number
}

export function startRenderThread(options: RenderThreadOptions): RenderThread {
  const { log, stuckAfterMs, maxMemoryMb } = options
  const worker = new Worker(workerModuleUrl('render-worker', import.meta.url), {
    // The thread needs no settings, and so gets no secrets.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
  })
  let current: Work | null = null
  let hasEnded = false
  let watchdog: NodeJS.Timeout | undefined

  const post = (message: MessageToRenderWorker) => {
    worker.postMessage(message)
    clearTimeout(watchdog)
    watchdog = setTimeout(() => endThread(limitExceeded('template render')), stuckAfterMs)
  }
  /** Ends the current render. An idle thread does not keep the process running. */
  const finish = (): Work | null => {
    clearTimeout(watchdog)
    worker.unref()
    const finished = current
    current = null
    return finished
  }
  const endThread = (error: unknown) => {
    hasEnded = true
    finish()?.reject(error)
    void worker.terminate()
  }
  const answerRead = async (work: Work, readId: number, index: number) => {
    const answer: MessageToRenderWorker = await work.readText(index).then(
      (text) => ({ type: 'text', readId, text }),
      (error: unknown) => ({ type: 'unreadable', readId, message: errorMessageOf(error) }),
    )
    if (current === work) post(answer)
  }
  const handlers: {
    [Type in MessageFromRenderWorker['type']]: (
      message: Extract<MessageFromRenderWorker, { type: Type }>,
    ) => void
  } = {
    read({ readId, index }) {
      clearTimeout(watchdog)
      if (current !== null) void answerRead(current, readId, index)
    },
    rendered: ({ text }) => finish()?.onText(text),
    analyzed: ({ analysis }) => finish()?.onAnalysis(analysis),
    invalid: ({ message, line }) => finish()?.reject(new TemplateFailure(message, { line })),
    failed: ({ error }) => finish()?.reject(error),
  }
  const start = (work: Work, message: MessageToRenderWorker) => {
    current = work
    worker.ref()
    post(message)
  }
  worker.unref()
  worker.on('message', (message: MessageFromRenderWorker) =>
    handlers[message.type](message as never),
  )
  worker.on('error', (error) => {
    if (current === null) log.error({ err: error }, 'idle template worker failed')
    const isMemory = errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY'
    endThread(isMemory ? limitExceeded('memory alloc') : error)
  })
  worker.on('exit', () => endThread(new Error('the template worker ended')))

  return {
    isEnded: () => hasEnded,
    render(request, readText) {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      start({ onText: resolve, onAnalysis: ignore, reject, readText }, { type: 'render', request })
      return promise
    },
    analyze(body, firstLine) {
      const { promise, resolve, reject } = Promise.withResolvers<TemplateAnalysis>()
      const readText = async () => ''
      start(
        { onText: ignore, onAnalysis: resolve, reject, readText },
        { type: 'analyze', body, firstLine },
      )
      return promise
    },
    async [Symbol.asyncDispose]() {
      endThread(new Error('the template worker was stopped'))
      await worker.terminate()
    },
  }
}

function ignore(): void {}

function limitExceeded(resource: string): TemplateFailure {
  return new TemplateFailure(`Template: ${resource} limit exceeded`)
}
