import { Text, Stack, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { ApiPrompt } from '../../src/http/shapes/tasks.ts'
import { useFieldError } from '../ui/forms.tsx'
import { QueryView } from '../ui/feedback/feedback.tsx'
import { findModelProblem, ModelNeeded, PromptProblems } from './model-needed.tsx'
import { usePrompts } from './queries.ts'
import { isRunWithBuiltinRules } from './task-labels.ts'
import { Hint } from '../ui/text.tsx'

interface PromptFieldProps {
  chosen: string | undefined
  /** The project of the task, which receives its results. Empty or undefined if it has none. */
  taskProject: string | undefined
}

/** Chooses the prompt of a task and shows a summary of its file. */
export function PromptField({ chosen, taskProject }: PromptFieldProps) {
  const query = usePrompts()
  return (
    <QueryView query={query} label="the prompts">
      {({ prompts }) => (
        <PromptSelect prompts={prompts} chosen={chosen} taskProject={taskProject} />
      )}
    </QueryView>
  )
}

function PromptSelect({
  prompts,
  chosen,
  taskProject,
}: PromptFieldProps & { prompts: ApiPrompt[] }) {
  const first = prompts.find(({ problems }) => problems.length === 0) ?? prompts[0]
  const [name, setName] = useState(chosen ?? first?.name ?? '')
  const problem = useFieldError('promptName')
  const prompt = prompts.find((one) => one.name === name)
  const isMissing = name !== '' && prompt === undefined
  if (prompts.length === 0 && !isMissing) {
    return (
      <Text role="alert" size="sm">
        No prompts yet. Write one under Prompts first.
      </Text>
    )
  }
  return (
    <Stack gap={6}>
      <NativeSelect
        name="promptName"
        label="Prompt"
        description="Every run uses its latest version"
        value={name}
        error={problem}
        onChange={(event) => setName(event.currentTarget.value)}
        data={[
          ...(isMissing ? [{ value: name, label: `${name} (file not found)` }] : []),
          ...prompts.map((one) => ({
            value: one.name,
            label: `${one.name}${describeState(one)}`,
          })),
        ]}
      />
      {prompt && <PromptSummary prompt={prompt} taskProject={taskProject} />}
    </Stack>
  )
}

function describeState(prompt: ApiPrompt): string {
  if (prompt.problems.some(({ path }) => path !== 'model')) return ' (has problems)'
  return findModelProblem(prompt) === null ? '' : ' (needs a model)'
}

interface PromptSummaryProps {
  prompt: ApiPrompt
  taskProject?: string | undefined
  /** In a list, a badge says that the prompt needs a model. */
  isInList?: boolean
}

export function PromptSummary({ prompt, taskProject, isInList = false }: PromptSummaryProps) {
  const { description } = prompt
  const problems = prompt.problems.filter(({ path }) => path !== 'model')
  return (
    <Stack gap={4}>
      {description !== undefined && (
        <Text size="sm" className="break-anywhere">
          {description}
        </Text>
      )}
      <Hint>
        {describeModelNeed(prompt)} Saves to project{' '}
        {taskProject?.trim() || prompt.project || 'api'}.
      </Hint>
      {!isInList && findModelProblem(prompt) !== null && <ModelNeeded />}
      <PromptProblems problems={problems} />
    </Stack>
  )
}

function describeModelNeed({ builtin, model }: ApiPrompt): string {
  if (model !== undefined && isRunWithBuiltinRules({ model }))
    return 'Uses built-in rules, no language model.'
  if (model !== undefined) return `Uses ${model}.`
  return builtin === undefined
    ? 'Needs a language model.'
    : 'Works with or without a language model.'
}
