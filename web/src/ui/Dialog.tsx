import '../styles/mantine-forms.css'
import { Modal } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import css from './Dialog.module.css'
import { Mantine } from './Mantine.tsx'

type Props = {
  title: string
  /** For what is compared side by side. */
  isWide?: boolean
  onClose: () => void
  children: ReactNode
}

/** A dialog over the page. The page behind it is inert meanwhile: neither focus nor a screen reader gets there. */
export function Dialog({ title, isWide = false, onClose, children }: Props) {
  useInertPage()
  const isOnTop = useDialogOrder()
  return (
    <Mantine>
      <Modal
        opened
        // Escape reaches every dialog that is open, and only the one on top is meant.
        onClose={() => isOnTop() && onClose()}
        title={title}
        centered
        radius="lg"
        size={isWide ? 760 : 420}
        classNames={{ content: css.surface, header: css.surface, title: css.title }}
      >
        {children}
      </Modal>
    </Mantine>
  )
}

/** The dialogs that are open, the one on top last. */
const order: object[] = []

function useDialogOrder(): () => boolean {
  const [own] = useState(() => ({}))
  useEffect(() => {
    order.push(own)
    return () => void order.splice(order.indexOf(own), 1)
  }, [own])
  return () => order.at(-1) === own
}

/** How many dialogs lie over the page: the palette may be opened over another one. */
let dialogs = 0

function setInert(change: 1 | -1) {
  dialogs += change
  const page = document.getElementById('root')
  if (page) page.inert = dialogs > 0
}

/** Also gives the focus back to where it was: the browser takes it away from what becomes inert. */
export function useInertPage() {
  useEffect(() => {
    const focused = document.activeElement as HTMLElement | null
    setInert(1)
    return () => {
      setInert(-1)
      if (focused?.isConnected) focused.focus({ preventScroll: true })
    }
  }, [])
}
