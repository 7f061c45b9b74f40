import { useNavigate } from '@tanstack/react-router'
import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import type { ApiPromptFile } from '../../src/http/shapes/prompts.ts'
import { useApi, useApiQuery } from '../api/use-api.tsx'
import type { ApiClient } from '../api/client.ts'

const fileKey = (name: string) => ['tasks', 'prompt-file', name]

export async function fetchPrompt(api: ApiClient, name: string): Promise<ApiPromptFile> {
  return (await api.promptFiles.get(name)).prompt
}

/** Read only once, because a refresh must not replace the text while a user edits it. */
export function usePromptFile(name: string) {
  return useApiQuery(fileKey(name), (api) => fetchPrompt(api, name), {
    refetchOnWindowFocus: false,
    staleTime: 0,
    gcTime: 0,
  })
}

/** The prompt with its variables filled in, and its problems. */
export function usePromptPreview(text: string, meetingId: string) {
  return useApiQuery(
    ['prompt-preview', text, meetingId],
    (api) =>
      api.prompts.preview({
        text,
        ...(meetingId !== '' && { meetingId }),
      }),
    {
      placeholderData: keepPreviousData,
      refetchOnWindowFocus: false,
      retry: false,
      gcTime: 10_000,
    },
  )
}

/** Reads prompts and tasks again after a prompt was saved or deleted. */
export function useRefreshPrompts(): (deletedName?: string) => Promise<void> {
  const queries = useQueryClient()
  return async (deletedName) => {
    if (deletedName !== undefined) queries.removeQueries({ queryKey: fileKey(deletedName) })
    await queries.invalidateQueries({ queryKey: ['tasks'] })
  }
}

/** Runs a prompt once and opens the page of the run. */
export function useTryPrompt(): (promptName: string) => Promise<void> {
  const api = useApi()
  const navigate = useNavigate()
  return async (promptName) => {
    const { executionId } = await api.prompts.try({ promptName })
    await navigate({ to: '/runs/$executionId', params: { executionId } })
  }
}
