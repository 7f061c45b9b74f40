import { useQuery } from '@tanstack/react-query'
import { useReload } from '../../api/queries.ts'
import { useApi } from '../../api/app-state.tsx'

export function useSignInMethods() {
  const api = useApi()
  return useQuery({
    queryKey: ['sign-in-methods'],
    queryFn: () => api.signInMethods.list(),
  })
}

/** Returns a function that reloads the ways to sign in, and resolves when they have arrived. */
export const useReloadSignInMethods = () => useReload('sign-in-methods')
