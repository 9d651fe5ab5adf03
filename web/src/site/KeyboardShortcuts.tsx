import { KEYS } from '../player/shortcuts.ts'
import { Dialog } from '../ui/Dialog.tsx'
import css from './KeyboardShortcuts.module.css'
import * as texts from './texts.ts'

/** The dialog that lists the keyboard shortcuts. */
export const Keys = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={texts.keyboardShortcuts} onClose={onClose}>
    <dl className={css.keys}>
      {KEYS.map(({ keys, description }) => (
        <div key={keys}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{description}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
)
