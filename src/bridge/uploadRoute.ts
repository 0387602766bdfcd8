import type { Request, Response } from 'express';
import type { Companion } from '../core/companion/createCompanion.ts';
import { ServiceError } from '../core/service/serviceError.ts';
import { problemBody, sendJson } from './bridgeProblem.ts';
import { closeSignal } from './guard.ts';
import { photoBody } from './readBody.ts';

/** `PUT /uploads/{token}`: takes the bytes of one photo for the slot behind that address. The path is its only right. */
export const uploadRoute =
  ({ uploads }: Companion) =>
  async (request: Request, response: Response): Promise<void> => {
    const token = String(request.params['token']);
    const signal = closeSignal(request, response);
    try {
      const taken = await uploads.take(token, request.headers['content-type'], photoBody(request), signal);
      response.json({ stored: true, ...taken });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      sendJson(response, error.status, JSON.stringify(problemBody(error).body));
    }
  };

/** A no of the service to these bytes, which comes back as it would have come from the slot itself. */
const isRefusal = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'UPLOAD_REFUSED' && error.status >= 400;
