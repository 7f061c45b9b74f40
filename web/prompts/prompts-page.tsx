import './prompts.css'
import { Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ModelNeededByMarked } from '../tasks/model-needed.tsx'
import { usePromptGallery } from '../tasks/queries.ts'
import { TaskDialog } from '../tasks/task-dialog.tsx'
import { QueryView } from '../ui/feedback/feedback.tsx'
import { useShortcuts } from '../ui/use-shortcuts.ts'
import { PageTitle } from '../ui/layout/headings.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { PromptCard } from './prompt-card.tsx'

/** All prompts: their purpose, what they need and which tasks use them. */
export function PromptsPage() {
  const query = usePromptGallery()
  const navigate = useNavigate()
  const [promptName, setPromptName] = useState<string | null>(null)
  useShortcuts({ n: () => void navigate({ to: '/new-prompt' }) })
  return (
    <Stack gap="lg" maw={1200}>
      <Group justify="space-between" gap="sm">
        <PageTitle>Prompts</PageTitle>
        <ButtonLink to="/new-prompt">New prompt</ButtonLink>
      </Group>
      <Text maw={680}>
        A prompt says what Hansard should write about your meetings and documents. Run it once, or
        use it in a task that runs on a schedule or after each meeting.
      </Text>
      <QueryView query={query} label="the prompts">
        {({ prompts }) =>
          prompts.length === 0 ? (
            <Text>No prompts yet. Write the first one.</Text>
          ) : (
            <>
              {prompts.some(({ modelProblem }) => modelProblem !== null) && <ModelNeededByMarked />}
              <SimpleGrid cols={{ base: 1, md: 2 }} component="ul" className="plain-list">
                {prompts.map((prompt) => (
                  <PromptCard
                    key={prompt.name}
                    prompt={prompt}
                    onUse={() => setPromptName(prompt.name)}
                  />
                ))}
              </SimpleGrid>
            </>
          )
        }
      </QueryView>
      {promptName !== null && (
        <TaskDialog
          promptName={promptName}
          onClose={() => setPromptName(null)}
          onSaved={({ name }) => void navigate({ to: '/tasks/$name', params: { name } })}
        />
      )}
    </Stack>
  )
}
