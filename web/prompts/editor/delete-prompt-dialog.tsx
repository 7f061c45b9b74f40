import { Button, Group, Stack, Text } from '@mantine/core'
import type { WirePromptFile } from '../../../src/http/shapes/prompts.ts'
import { useApi } from '../../api/app-state.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { UsingTasks } from '../prompt-card.tsx'
import { promptApiPath, useRefreshPrompts } from '../queries.ts'

interface DeletePromptDialogProps {
  prompt: WirePromptFile
  onClose: () => void
  onDeleted: () => void
}

/** Asks before a prompt is deleted. A prompt that tasks use cannot be deleted, and the dialog says so. */
export function DeletePromptDialog({ prompt, onClose, onDeleted }: DeletePromptDialogProps) {
  const { name, tasks, hiddenTasks } = prompt
  const api = useApi()
  const refresh = useRefreshPrompts()
  if (tasks.length + hiddenTasks > 0) {
    return (
      <Dialog title={`“${name}” is in use`} onClose={onClose}>
        <Stack>
          <Text>
            These tasks use it: <UsingTasks prompt={prompt} />. Choose another prompt for them, or
            delete them first.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} data-autofocus>
              Close
            </Button>
          </Group>
        </Stack>
      </Dialog>
    )
  }
  return (
    <ConfirmDialog
      title={`Delete prompt “${name}”?`}
      confirmLabel="Delete prompt"
      onClose={onClose}
      onConfirm={async () => {
        await api.delete(promptApiPath(name))
        onDeleted()
        await refresh(name)
      }}
    >
      Nobody can use it any more. Results of earlier runs are kept.
    </ConfirmDialog>
  )
}
