import { Button, Group, Stack, Text } from '@mantine/core'
import type { WirePromptFile } from '../../../src/http/shapes/prompts.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { UsingTasks } from '../prompt-card.tsx'
import { useRefreshPrompts } from '../queries.ts'

interface DeletePromptDialogProps {
  prompt: WirePromptFile
  /** False if another user saved a different version meanwhile. */
  onDelete: () => Promise<boolean>
  onClose: () => void
  onDeleted: () => void
}

/** Asks before a prompt is deleted. Says so if tasks use the prompt, which then can't be deleted. */
export function DeletePromptDialog(props: DeletePromptDialogProps) {
  const { prompt, onDelete, onClose, onDeleted } = props
  const { name, tasks, hasHiddenTasks } = prompt
  const refresh = useRefreshPrompts()
  if (tasks.length > 0 || hasHiddenTasks) {
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
        if (!(await onDelete())) return
        onDeleted()
        await refresh(name)
      }}
    >
      Nobody can use it any more. Results of earlier runs are kept.
    </ConfirmDialog>
  )
}
