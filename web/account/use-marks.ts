import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ApiMarks } from '../../src/http/shapes/account.ts'
import type { GetStartedStep, UserMarkKind } from '../../src/http/shapes/values.ts'
import { useApi } from '../api/use-api.tsx'

const KEY = ['marks']

export interface Marks {
  isLoaded: boolean
  has: (kind: UserMarkKind, key: string) => boolean
}

/** What the console remembers for the signed-in user. */
export function useMarks(): Marks {
  const api = useApi()
  const { data } = useQuery({ queryKey: KEY, queryFn: () => api.marks.list() })
  const set = new Set(data?.marks.map(({ kind, key }) => `${kind} ${key}`))
  return { isLoaded: data !== undefined, has: (kind, key) => set.has(`${kind} ${key}`) }
}

type ChangeMark = (kind: UserMarkKind, key: string, isSet: boolean) => Promise<void>

/** Sets or removes a mark. The page changes at once. After an error the marks are read again. */
export function useChangeMark(): ChangeMark {
  const api = useApi()
  const queries = useQueryClient()
  return async (kind, key, isSet) => {
    await queries.cancelQueries({ queryKey: KEY })
    queries.setQueryData<ApiMarks>(KEY, (current) => {
      if (!current) return current
      const others = current.marks.filter((mark) => mark.kind !== kind || mark.key !== key)
      const added = { kind, key, at: new Date().toISOString() }
      return { marks: isSet ? [...others, added] : others }
    })
    try {
      await (isSet ? api.marks.update(kind, key) : api.marks.remove(kind, key))
    } catch (error) {
      void queries.invalidateQueries({ queryKey: KEY })
      throw error
    }
  }
}

/**
 * Remembers that the user has done a step of the list "Get started". If that fails, the step stays open, which is not
 * important enough to interrupt the user.
 */
export function useMarkStepDone(): (step: GetStartedStep) => void {
  const queries = useQueryClient()
  const change = useChangeMark()
  return (step) => {
    const marks = queries.getQueryData<ApiMarks>(KEY)?.marks ?? []
    if (marks.some(({ kind, key }) => kind === 'get_started' && key === step)) return
    change('get_started', step, true).catch(() => {
      // The marks are being read again, and the page then shows the step as open.
    })
  }
}
