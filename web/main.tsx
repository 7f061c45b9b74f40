import '@mantine/core/styles.css'
import '@fontsource-variable/inter/opsz.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './app/theme/tokens.css'
import './app/theme/components.css'
import './app/layout/layout.css'
import './app/styles.css'
import './app/print.css'
import { createApiClient } from './api/client.ts'
import { ApiError } from './api/api-error.ts'
import { ApiProvider, clearCachedUserData, readCachedCsrfToken } from './api/use-api.tsx'
import { createConsoleRouter } from './app/routes.tsx'
import { readableColourVariables, theme } from './app/theme/theme.ts'

const nonce = document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? ''
// The scroll lock of Mantine's dialogs adds a <style> element and reads its CSP nonce from this global.
Object.assign(globalThis, { __webpack_nonce__: nonce })

const queries = new QueryClient({
  defaultOptions: { queries: { retry: shouldRetry, staleTime: 5_000, networkMode: 'always' } },
})
const api = createApiClient({
  csrfToken: () => readCachedCsrfToken(queries),
  onSignedOut: () => clearCachedUserData(queries),
})
const router = createConsoleRouter()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={readableColourVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <ApiProvider value={api}>
          <RouterProvider router={router} />
        </ApiProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)

/** Retries only network errors and server errors. A 4xx response would be the same again. */
function shouldRetry(failures: number, error: Error): boolean {
  const isClientError = error instanceof ApiError && error.status >= 400 && error.status < 500
  return !isClientError && failures < 2
}
