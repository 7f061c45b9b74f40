import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { WireSignInMethods } from '../../../src/http/shapes/sign-in-methods.ts'
import { useApi } from '../../api/app-state.tsx'

const KEY = ['sign-in-methods']

export function useSignInMethods() {
  const api = useApi()
  return useQuery({
    queryKey: KEY,
    queryFn: () => api.get<WireSignInMethods>('/web/sign-in-methods'),
  })
}

/** Returns a function that reloads the ways to sign in, and resolves when they have arrived. */
export function useReloadSignInMethods(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: KEY })
}
