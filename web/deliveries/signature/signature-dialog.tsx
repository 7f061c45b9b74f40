import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { SignatureCheck } from './signature-check.tsx'

export function SignatureDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Check signature" size="lg" onClose={onClose}>
      <SignatureCheck />
    </Dialog>
  )
}
