import '../styles/mantine-forms.css'
import '@mantine/spotlight/styles.layer.css'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { IconSearch, type TablerIcon } from '@tabler/icons-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { format } from '../format/message.ts'
import css from './CommandPalette.module.css'
import { useInertPage } from './Dialog.tsx'
import { Mantine } from './Mantine.tsx'
import * as texts from './texts.ts'

/** One item of a palette. */
export type Command = {
  id: string
  name: string
  icon: TablerIcon
  /** Further words under which it is found. */
  keywords?: string | undefined
  /** Secondary text: an artist, a count. */
  note?: string | undefined
  /** The keyboard shortcut of the command. */
  shortcut?: string
  run: () => void
}

export type CommandGroup = { title: string; commands: Command[] }

type Props = {
  /** Describes the search field. */
  label: string
  placeholder: string
  typed: string
  onType: (typed: string) => void
  /** The matches of what was typed; empty groups are not shown. */
  groups: CommandGroup[]
  /** True while further matches are being loaded. */
  isLoading?: boolean
  onClose: () => void
}

const [store, spotlight] = createSpotlight()

const LIST_ID = 'palette-list'
const idOf = (at: number) => `palette-option-${at}`

/** A search field over the page with its matches in groups: choosing one runs it. */
export function CommandPalette({ label, placeholder, typed, onType, groups: allGroups, isLoading, onClose }: Props) {
  useInertPage()
  const groups = allGroups.filter(({ commands }) => commands.length > 0)
  const commands = groups.flatMap((group) => group.commands)
  const [selected, moveBy] = useSelected(typed, commands.length)
  useScrollIntoView(idOf(selected))
  useEffect(() => {
    spotlight.open()
    return spotlight.close
  }, [])
  // Closed first, so that the focus is back in the page before the command moves it.
  const choose = (command: Command) => {
    flushSync(onClose)
    command.run()
  }
  // Spotlight only marks the selected item visually, which a screen reader does not announce.
  const pressed = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const command = commands[selected]
    if (event.key === 'ArrowDown') moveBy(1)
    else if (event.key === 'ArrowUp') moveBy(-1)
    else if (event.key === 'Enter' && command) choose(command)
    // Otherwise a dialog below would receive Escape too, and close.
    else if (event.key === 'Escape') onClose()
  }
  return (
    <Mantine>
      <Spotlight.Root
        store={store}
        query={typed}
        onQueryChange={onType}
        onSpotlightClose={onClose}
        shortcut={null}
        closeOnActionTrigger={false}
        attributes={{ content: { 'aria-label': texts.commands } }}
        size={560}
        radius="lg"
        overlayProps={{ backgroundOpacity: 0.5, blur: 0 }}
        transitionProps={{ duration: 120, transition: 'fade' }}
        classNames={{ content: css.content, body: css.body }}
        onMouseDown={keepFocus}
      >
        <Spotlight.Search
          data-autofocus
          role="combobox"
          aria-label={label}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-expanded={commands.length > 0}
          aria-controls={commands.length > 0 ? LIST_ID : undefined}
          aria-activedescendant={commands.length > 0 ? idOf(selected) : undefined}
          placeholder={placeholder}
          leftSection={<IconSearch size={18} aria-hidden />}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          classNames={{ input: css.input }}
          data-mantine-stop-propagation="true"
          onKeyDown={pressed}
        />
        {commands.length > 0 ? (
          <Options groups={groups} selected={selected} onChoose={choose} />
        ) : (
          <Spotlight.Empty className={css.empty}>{isLoading ? texts.loading : texts.noMatches}</Spotlight.Empty>
        )}
        <p role="status" className="sr">
          {format(texts.commandCount, { count: commands.length })}
        </p>
      </Spotlight.Root>
    </Mantine>
  )
}

/** The index of the selected item. Typing selects the first again; results that arrive later do not change it. */
function useSelected(typed: string, count: number) {
  const [selected, setSelected] = useState({ at: 0, typed })
  const at = selected.typed === typed ? Math.min(selected.at, Math.max(0, count - 1)) : 0
  const moveBy = (step: 1 | -1) => setSelected({ at: (at + step + count) % Math.max(1, count), typed })
  return [at, moveBy] as const
}

/** Scrolls the selected item into view. */
function useScrollIntoView(id: string) {
  useEffect(() => {
    document.getElementById(id)?.scrollIntoView({ block: 'nearest' })
  }, [id])
}

/** A click next to the items leaves the focus in the field, which handles the keys. */
const keepFocus = (event: MouseEvent) => {
  if (!(event.target as Element).closest('input')) event.preventDefault()
}

type OptionsProps = { groups: CommandGroup[]; selected: number; onChoose: (command: Command) => void }

function Options({ groups, selected, onChoose }: OptionsProps) {
  let at = -1
  return (
    <div id={LIST_ID} role="listbox" aria-label={texts.commands} className={css.list}>
      {groups.map(({ title, commands }) => (
        // biome-ignore lint/a11y/useSemanticElements: a list box may not contain a fieldset
        <div key={title} role="group" aria-label={title} className={css.group}>
          <div aria-hidden className={css.title}>
            {title}
          </div>
          {commands.map((command) => {
            at++
            return (
              <Option
                key={command.id}
                id={idOf(at)}
                command={command}
                isSelected={at === selected}
                onChoose={onChoose}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}

type OptionProps = { id: string; command: Command; isSelected: boolean; onChoose: (command: Command) => void }

const Option = ({ id, command, isSelected, onChoose }: OptionProps) => {
  const { name, note, icon: Icon, shortcut } = command
  return (
    <Spotlight.Action
      // Spotlight's own action uses the `id` prop for itself.
      ref={(element) => {
        if (element) element.id = id
      }}
      role="option"
      aria-selected={isSelected}
      data-selected={isSelected || undefined}
      className={css.option}
      onClick={() => onChoose(command)}
    >
      <Icon size={17} stroke={1.8} aria-hidden className={css.icon} />
      <span className={css.name}>{name}</span>
      {note && <small className={css.note}>{note}</small>}
      {shortcut && <kbd>{shortcut}</kbd>}
    </Spotlight.Action>
  )
}
