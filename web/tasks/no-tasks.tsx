import { Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { ApiPrompt } from '../../src/http/shapes/tasks.ts'
import { ErrorBox, QueryView } from '../ui/feedback/feedback.tsx'
import { TextLink } from '../ui/links.tsx'
import { RowButton } from '../ui/tables/data-table.tsx'
import { useAction } from '../ui/forms/form.tsx'
import { findModelProblem, ModelNeededBadge, ModelNeededByMarked } from './model-needed.tsx'
import { PromptSummary } from './prompt-field.tsx'
import { usePrompts } from './queries.ts'
import { useRunPrompt } from './use-run-task.ts'

/** Shown before the first task: the available prompts, each with buttons to run or schedule it. */
export function NoTasks({ onSchedule }: { onSchedule: (promptName: string) => void }) {
  const query = usePrompts()
  return (
    <Stack gap="md">
      <Text maw={680}>
        A task runs a prompt over your meetings and documents, on a schedule or on demand, and saves
        the result as a document. Start with one of these prompts, or{' '}
        <TextLink to="/new-prompt">write your own</TextLink>.
      </Text>
      <QueryView query={query} label="the prompts">
        {({ prompts }) => (
          <Stack gap="md">
            {prompts.some((prompt) => findModelProblem(prompt) !== null) && <ModelNeededByMarked />}
            <SimpleGrid cols={{ base: 1, md: 2 }} component="ul" className="plain-list">
              {prompts.toSorted(runnableFirst).map((prompt) => (
                <PromptCard
                  key={prompt.name}
                  prompt={prompt}
                  onSchedule={() => onSchedule(prompt.name)}
                />
              ))}
            </SimpleGrid>
          </Stack>
        )}
      </QueryView>
    </Stack>
  )
}

/** Sorts prompts that run without a language model first. */
function runnableFirst(a: ApiPrompt, b: ApiPrompt): number {
  return Number(a.builtin === undefined) - Number(b.builtin === undefined)
}

function PromptCard({ prompt, onSchedule }: { prompt: ApiPrompt; onSchedule: () => void }) {
  const { name, problems } = prompt
  const run = useRunPrompt()
  const action = useAction(() => run(name))
  return (
    <Card component="li" withBorder padding="md">
      <Stack gap="sm" h="100%">
        <Group justify="space-between" align="flex-start" gap="xs">
          <Title order={2} size="h4" className="break-anywhere" flex="1 1 8rem">
            {name}
          </Title>
          {findModelProblem(prompt) !== null && <ModelNeededBadge />}
        </Group>
        <PromptSummary prompt={prompt} isInList />
        {problems.length === 0 && (
          <Group gap="xs" mt="auto">
            <Button
              size="xs"
              loading={action.isRunning}
              aria-label={`Run now: ${name}`}
              onClick={() => void action.run()}
            >
              Run now
            </Button>
            <RowButton label="Schedule" ariaLabel={`Schedule ${name}`} onClick={onSchedule} />
          </Group>
        )}
        {action.error ? <ErrorBox error={action.error} /> : null}
      </Stack>
    </Card>
  )
}
