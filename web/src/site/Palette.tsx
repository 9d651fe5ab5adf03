import '../styles/mantine-forms.css'
import '@mantine/spotlight/styles.layer.css'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useSuggested } from '../catalogue/useSuggested.ts'
import { plural } from '../platform/format.ts'
import { useInertPage } from '../ui/Dialog.tsx'
import { Mantine } from '../ui/Mantine.tsx'
import css from './Palette.module.css'
import {
  type Command,
  useActionCommands,
  useFoundCommands,
  usePlaylistCommands,
  useScreenCommands,
} from './paletteCommands.tsx'
import { matchesOf } from './paletteMatches.ts'
import * as texts from './texts.ts'

export type PaletteProps = { onClose: () => void }

type Group = { title: string; commands: Command[] }

const [store, palette] = createSpotlight()

const LIST_ID = 'palette-list'
const idOf = (at: number) => `palette-option-${at}`
const MAX_PER_GROUP = 6

/** What fits what is typed, in groups; before anything is typed, everything that can be done. */
function useGroups(typed: string): Group[] {
  const words = typed.trim()
  const playlists = matchesOf(usePlaylistCommands(), words)
  const foundCommands = useFoundCommands(words, useSuggested(words))
  const screens = { title: texts.goTo, commands: matchesOf(useScreenCommands(), words) }
  const actions = { title: 'Actions', commands: matchesOf(useActionCommands(), words) }
  // “play” means Play, and not the playlists.
  const isAction = actions.commands.some(({ name }) => name.toLowerCase() === words.toLowerCase())
  const groups = [
    ...(isAction ? [actions, screens] : [screens, actions]),
    { title: 'Playlists', commands: words ? playlists.slice(0, MAX_PER_GROUP) : playlists },
    { title: 'Results', commands: words ? foundCommands : [] },
  ]
  return groups.filter(({ commands }) => commands.length > 0)
}

/** Every screen, action, playlist and song under one field: Ctrl + K. */
export function Palette({ onClose }: PaletteProps) {
  useInertPage()
  const [typed, setTyped] = useState('')
  const groups = useGroups(typed)
  const commands = groups.flatMap((group) => group.commands)
  const [selected, moveBy] = useSelected(typed, commands.length)
  useScrollIntoView(idOf(selected))
  useEffect(() => {
    palette.open()
    return palette.close
  }, [])
  // Closed first, so that the focus is back in the page before the command moves it.
  const choose = (command: Command) => {
    flushSync(onClose)
    command.run()
  }
  // Spotlight would mark the selected line in the page only, where a screen reader hears nothing of it.
  const pressed = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const command = commands[selected]
    if (event.key === 'ArrowDown') moveBy(1)
    else if (event.key === 'ArrowUp') moveBy(-1)
    else if (event.key === 'Enter' && command) choose(command)
    // A dialog below would hear Escape as well, and close.
    else if (event.key === 'Escape') onClose()
  }
  return (
    <Mantine>
      <Spotlight.Root
        store={store}
        query={typed}
        onQueryChange={setTyped}
        onSpotlightClose={onClose}
        shortcut={null}
        closeOnActionTrigger={false}
        attributes={{ content: { 'aria-label': 'Commands' } }}
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
          aria-label={texts.searchCommandsSongsArtistsAnd}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-expanded={commands.length > 0}
          aria-controls={commands.length > 0 ? LIST_ID : undefined}
          aria-activedescendant={commands.length > 0 ? idOf(selected) : undefined}
          placeholder={texts.searchOrRunACommand}
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
          <Spotlight.Empty className={css.empty}>{texts.noMatches}</Spotlight.Empty>
        )}
        <p role="status" className="sr">
          {plural(commands.length, 'command')}
        </p>
      </Spotlight.Root>
    </Mantine>
  )
}

/** The place of the selected line. Typing begins at the first again; what arrives later does not move it. */
function useSelected(typed: string, count: number) {
  const [selected, setSelected] = useState({ at: 0, typed })
  const at = selected.typed === typed ? Math.min(selected.at, Math.max(0, count - 1)) : 0
  const moveBy = (step: 1 | -1) => setSelected({ at: (at + step + count) % Math.max(1, count), typed })
  return [at, moveBy] as const
}

/** Keeps the selected line in sight. */
function useScrollIntoView(id: string) {
  useEffect(() => {
    document.getElementById(id)?.scrollIntoView({ block: 'nearest' })
  }, [id])
}

/** A press beside the lines leaves the focus in the field, where the keys are heard. */
const keepFocus = (event: MouseEvent) => {
  if (!(event.target as Element).closest('input')) event.preventDefault()
}

type OptionsProps = { groups: Group[]; selected: number; onChoose: (command: Command) => void }

function Options({ groups, selected, onChoose }: OptionsProps) {
  let at = -1
  return (
    <div id={LIST_ID} role="listbox" aria-label={texts.commands} className={css.list}>
      {groups.map(({ title, commands }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list box
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
      // Spotlight's own action takes its `id` away for itself.
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
