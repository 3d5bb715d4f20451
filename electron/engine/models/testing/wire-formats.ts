/** One answer as a stream: what is said, and what ends it. */
export interface WireAnswer {
  readonly events: string;
  readonly ending: string;
}

interface WireFormat {
  say(text: string, request: Record<string, unknown>): WireAnswer;
  call(tool: string, input: object, request: Record<string, unknown>): WireAnswer;
}

/** A text in small pieces, as servers send it. */
function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,4}/g) ?? [];
}

/** Chat completions of OpenAI: unnamed events, then `[DONE]`. */
export const openaiStream: WireFormat = {
  say: (text) => {
    const deltas = [{ role: 'assistant', content: '' }, ...pieces(text).map((content) => ({ content }))];
    return { events: deltas.map((delta) => chatEvent(delta)).join(''), ending: chatEnd('stop') };
  },
  call: (tool, input) => {
    const start = { index: 0, id: 'call_1', type: 'function', function: { name: tool, arguments: '' } };
    const rest = pieces(JSON.stringify(input)).map((part) => ({ index: 0, function: { arguments: part } }));
    const events = [start, ...rest].map((call) => chatEvent({ tool_calls: [call] })).join('');
    return { events, ending: chatEnd('tool_calls') };
  },
};

function chatEvent(delta: object, finish: string | null = null, more: object = {}): string {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'fake' };
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ ...head, choices, ...more })}\n\n`;
}

function chatEnd(finish: string): string {
  const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
  return `${chatEvent({}, finish)}${chatEvent({}, null, { choices: [], usage })}data: [DONE]\n\n`;
}

/** Messages of Anthropic: named events with blocks, which start and stop. */
export const anthropicStream: WireFormat = {
  say: (text, request) => {
    // Without formats of its own, the SDK asks for a form by a tool that must be called.
    const form = (request['tools'] as { name: string }[] | undefined)?.find(({ name }) => name === 'json');
    if (form && text.startsWith('{'))
      return anthropicStream.call('json', JSON.parse(text) as object, request);
    const deltas = pieces(text).map((piece) => ({ type: 'text_delta', text: piece }));
    return message({ type: 'text', text: '' }, deltas, 'end_turn');
  },
  call: (tool, input) => {
    const deltas = pieces(JSON.stringify(input)).map((piece) => ({
      type: 'input_json_delta',
      partial_json: piece,
    }));
    return message({ type: 'tool_use', id: 'toolu_1', name: tool, input: {} }, deltas, 'tool_use');
  },
};

function message(block: object, deltas: readonly object[], reason: string): WireAnswer {
  const usage = { input_tokens: 11, output_tokens: 1 };
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'fake', content: [], usage };
  return {
    events: [
      messageEvent('message_start', { message: { ...head, stop_reason: null, stop_sequence: null } }),
      messageEvent('content_block_start', { index: 0, content_block: block }),
      messageEvent('ping', {}),
      ...deltas.map((delta) => messageEvent('content_block_delta', { index: 0, delta })),
    ].join(''),
    ending: [
      messageEvent('content_block_stop', { index: 0 }),
      messageEvent('message_delta', {
        delta: { stop_reason: reason, stop_sequence: null },
        usage: { output_tokens: 7 },
      }),
      messageEvent('message_stop', {}),
    ].join(''),
  };
}

function messageEvent(type: string, rest: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
}
