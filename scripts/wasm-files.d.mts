import type { Plugin } from 'rolldown'

export function wasmFiles(): Plugin
