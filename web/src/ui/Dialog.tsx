import '../styles/mantine-forms.css'
import { Modal } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import css from './Dialog.module.css'
import { Mantine } from './Mantine.tsx'

/** A dialog over the page. The page behind it is inert meanwhile: neither focus nor a screen reader gets there. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  useInertPage()
  return (
    <Mantine>
      <Modal
        opened
        onClose={onClose}
        title={title}
        centered
        radius="lg"
        size={420}
        classNames={{ content: css.surface, header: css.surface, title: css.title }}
      >
        {children}
      </Modal>
    </Mantine>
  )
}

/** Also gives the focus back to where it was: the browser takes it away from what becomes inert. */
function useInertPage() {
  useEffect(() => {
    const page = document.getElementById('root')
    const focused = document.activeElement as HTMLElement | null
    if (page) page.inert = true
    return () => {
      if (page) page.inert = false
      if (focused?.isConnected && page?.contains(focused)) focused.focus({ preventScroll: true })
    }
  }, [])
}
