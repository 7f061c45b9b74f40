import { tmpdir } from 'node:os'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { HttpToolServer, ToolServer } from './tool-server-settings.ts'

const MAX_RESPONSE_BYTES = 4 * 1024 * 1024
const CLOSE_TIMEOUT_MS = 2_000

/** Creates the transport to a server: a child process or an HTTP URL. `onTooLarge` is called at the size limit. */
export function createToolServerTransport(
  server: ToolServer,
  onTooLarge: () => void,
): StreamableHTTPClientTransport | StdioClientTransport {
  if ('url' in server) return createHttpTransport(server, onTooLarge)
  const { command, args, env } = server
  return new StdioClientTransport({
    command,
    args,
    // The child process does not inherit the environment of the service, which contains API keys.
    env: { ...getDefaultEnvironment(), ...env },
    cwd: tmpdir(),
    stderr: 'ignore',
    maxBufferSize: MAX_RESPONSE_BYTES,
  })
}

function createHttpTransport(
  { url, headers }: HttpToolServer,
  onTooLarge: () => void,
): StreamableHTTPClientTransport {
  // Redirects are refused, because they would send the secret headers to another address.
  const requestInit = { headers, redirect: 'error' } as const
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit,
    fetch: async (address, init) => {
      const isClosing = init?.method === 'DELETE'
      const signal = isClosing ? AbortSignal.timeout(CLOSE_TIMEOUT_MS) : (init?.signal ?? null)
      return limitResponseSize(await fetch(address, { ...init, signal }), onTooLarge)
    },
  })
}

function limitResponseSize(response: Response, onTooLarge: () => void): Response {
  if (response.body === null) return response
  let receivedBytes = 0
  const limiter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      receivedBytes += chunk.byteLength
      if (receivedBytes <= MAX_RESPONSE_BYTES) return controller.enqueue(chunk)
      controller.error(new Error('The answer is too large'))
      onTooLarge()
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(limiter), { status, statusText, headers })
}
