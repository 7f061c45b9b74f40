import { List, NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { WirePrompt } from '../../src/http/shapes/tasks.ts'
import { useFieldError } from '../ui/forms/form.tsx'
import { QueryView } from '../ui/feedback/query-view.tsx'
import { usePrompts } from './queries.ts'

/** The prompt a task runs, with what is known of its file. */
export function PromptField({ chosen }: { chosen: string | undefined }) {
  const query = usePrompts()
  return (
    <QueryView query={query} label="the prompts">
      {({ prompts }) => <PromptSelect prompts={prompts} chosen={chosen} />}
    </QueryView>
  )
}

function PromptSelect({ prompts, chosen }: { prompts: WirePrompt[]; chosen: string | undefined }) {
  const first = prompts.find(({ problems }) => problems.length === 0) ?? prompts[0]
  const [name, setName] = useState(chosen ?? first?.name ?? '')
  const problem = useFieldError('promptName')
  const prompt = prompts.find((one) => one.name === name)
  const isGone = name !== '' && prompt === undefined
  if (prompts.length === 0 && !isGone) {
    return (
      <Text role="alert" size="sm">
        There is no prompt yet. Put a markdown file into the folder <code>scheduled-prompts</code>{' '}
        of the data folder; it appears here by itself.
      </Text>
    )
  }
  return (
    <Stack gap={6}>
      <NativeSelect
        name="promptName"
        label="Prompt"
        description="A markdown file in the folder scheduled-prompts, read anew at every run"
        value={name}
        error={problem}
        onChange={(event) => setName(event.currentTarget.value)}
        data={[
          ...(isGone ? [{ value: name, label: `${name} (its file is gone)` }] : []),
          ...prompts.map((one) => ({
            value: one.name,
            label: one.problems.length === 0 ? one.name : `${one.name} (has problems)`,
          })),
        ]}
      />
      {prompt && <PromptSummary prompt={prompt} />}
    </Stack>
  )
}

export function PromptSummary({ prompt }: { prompt: WirePrompt }) {
  const { description, problems } = prompt
  return (
    <Stack gap={4}>
      {description !== undefined && (
        <Text size="sm" className="break-anywhere">
          {description}
        </Text>
      )}
      <Text size="sm" c="dimmed" className="break-anywhere">
        {describeModelNeed(prompt)} Result in project {prompt.project ?? 'api'}.
      </Text>
      {problems.length > 0 && (
        <div className="notice notice-error" role="note">
          <Text size="sm" fw={600}>
            It cannot run as it is:
          </Text>
          <List size="sm">
            {problems.map(({ path, message }) => (
              <List.Item key={`${path} ${message}`} className="break-anywhere">
                {path === '' ? message : `${path}: ${message}`}
              </List.Item>
            ))}
          </List>
        </div>
      )}
    </Stack>
  )
}

function describeModelNeed({ builtin, model }: WirePrompt): string {
  if (model?.startsWith('builtin/')) return 'Runs on rules, without a language model.'
  if (model !== undefined) return `Runs on ${model}.`
  return builtin === undefined
    ? 'Needs a language model.'
    : 'Runs without a language model too, where none is set up.'
}
