import { tmpdir } from 'node:os'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { HttpToolServer, ToolServer } from './tool-server-settings.ts'

const MAX_BYTES = 4 * 1024 * 1024
const CLOSE_TIMEOUT_MS = 2_000

/** The way to a server: a process of our own, or an address and nowhere else. `onTooLarge`: nothing more will come. */
export function createToolServerTransport(
  server: ToolServer,
  onTooLarge: () => void,
): StreamableHTTPClientTransport | StdioClientTransport {
  if ('url' in server) return createHttpTransport(server, onTooLarge)
  const { command, args, env } = server
  return new StdioClientTransport({
    command,
    args,
    // What the service itself was told, keys above all, is none of its business.
    env: { ...getDefaultEnvironment(), ...env },
    cwd: tmpdir(),
    stderr: 'ignore',
    maxBufferSize: MAX_BYTES,
  })
}

function createHttpTransport(
  { url, headers }: HttpToolServer,
  onTooLarge: () => void,
): StreamableHTTPClientTransport {
  // A server that sends us elsewhere would get our headers carried there.
  const requestInit = { headers, redirect: 'error' } as const
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit,
    fetch: async (address, given) => {
      const isGoodbye = given?.method === 'DELETE'
      const signal = isGoodbye ? AbortSignal.timeout(CLOSE_TIMEOUT_MS) : (given?.signal ?? null)
      return limitResponseSize(await fetch(address, { ...given, signal }), onTooLarge)
    },
  })
}

function limitResponseSize(answer: Response, onTooLarge: () => void): Response {
  if (answer.body === null) return answer
  let length = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      length += chunk.byteLength
      if (length <= MAX_BYTES) return controller.enqueue(chunk)
      controller.error(new Error('The answer is too large'))
      onTooLarge()
    },
  })
  const { status, statusText, headers } = answer
  return new Response(answer.body.pipeThrough(counted), { status, statusText, headers })
}
