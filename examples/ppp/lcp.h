/* The option negotiation automaton of PPP's Link Control Protocol (RFC 1661, section 4), three times:

   - an implementation, one function for each event, as daemons write it;
   - a specification, the table of section 4.1 row by row, which listens to what the implementation gets;
   - a peer that talks to the implementation, and begins by itself, whenever it likes.

   After each event the implementation has to be in the state that the specification is in. After Ivancic, Yang, Ganai,
   Gupta, Ashar: "Efficient SAT-based bounded model checking for software verification" (2008), section 7, where a
   violation was found in an implementation of that time. TAKES_BACK is 1 if a terminate-ack in the state opened takes
   the implementation back to request-sent, and 0 if it forgets that. */

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

/* What is called if the two differ. */
static void differs(void);

enum state { INITIAL, STARTING, CLOSED, STOPPED, CLOSING, STOPPING, REQSENT, ACKRCVD, ACKSENT, OPENED };

enum event { UP, DOWN, OPEN, CLOSE, TIMEOUT, EXPIRED, REQ_GOOD, REQ_BAD, ACK, NAK, TERM_REQ, TERM_ACK, UNKNOWN_CODE,
             REJECT_OK, REJECT_FATAL, ECHO };

enum message { NOTHING, CONF_REQ, CONF_ACK, CONF_NAK, TERMINATE_REQ, TERMINATE_ACK, CODE_REJ, ECHO_REP };

/* What the implementation has sent last, for the peer. */
static unsigned char sent;

/* ---------------------------------------------------------------------------------------------------------------- */
/* The implementation. Without an answer it stops. */

static unsigned char state;
static unsigned char retransmits;

static void transmit(unsigned char message) { sent = message; }

static void send_request(void)
{
    retransmits = 3;
    transmit(CONF_REQ);
}

static void send_terminate(void)
{
    retransmits = 2;
    transmit(TERMINATE_REQ);
}

static void lower_up(void)
{
    switch (state) {
    case INITIAL: state = CLOSED; break;
    case STARTING: send_request(); state = REQSENT; break;
    }
}

static void lower_down(void)
{
    switch (state) {
    case CLOSED: state = INITIAL; break;
    case STOPPED: state = STARTING; break;
    case CLOSING: state = INITIAL; break;
    case STOPPING:
    case REQSENT:
    case ACKRCVD:
    case ACKSENT:
    case OPENED: state = STARTING; break;
    }
}

static void link_open(void)
{
    switch (state) {
    case INITIAL: state = STARTING; break;
    case CLOSED: send_request(); state = REQSENT; break;
    case CLOSING: state = STOPPING; break;
    }
}

static void link_close(void)
{
    switch (state) {
    case STARTING: state = INITIAL; break;
    case STOPPED: state = CLOSED; break;
    case STOPPING: state = CLOSING; break;
    case REQSENT:
    case ACKRCVD:
    case ACKSENT:
    case OPENED: send_terminate(); state = CLOSING; break;
    }
}

/* The timer runs down; what is told to the specification depends on how often. */
static unsigned char timeout(void)
{
    if (state < CLOSING || state == OPENED)
        return TIMEOUT;
    if (retransmits == 0) {
        if (state == CLOSING)
            state = CLOSED;
        else
            state = STOPPED;
        return EXPIRED;
    }
    retransmits--;
    if (state == CLOSING || state == STOPPING) {
        transmit(TERMINATE_REQ);
    } else {
        transmit(CONF_REQ);
        if (state == ACKRCVD)
            state = REQSENT;
    }
    return TIMEOUT;
}

static void got_request(int good)
{
    switch (state) {
    case CLOSED: transmit(TERMINATE_ACK); return;
    case CLOSING:
    case STOPPING: return;
    case OPENED: send_request(); state = REQSENT; break;
    case STOPPED: send_request(); state = REQSENT; break;
    case INITIAL:
    case STARTING: return;
    }
    transmit(good ? CONF_ACK : CONF_NAK);
    if (good) {
        if (state == ACKRCVD)
            state = OPENED;
        else
            state = ACKSENT;
    } else if (state != ACKRCVD) {
        state = REQSENT;
    }
}

static void got_ack(void)
{
    switch (state) {
    case CLOSED:
    case STOPPED: transmit(TERMINATE_ACK); break;
    case REQSENT: state = ACKRCVD; break;
    case ACKRCVD: send_request(); state = REQSENT; break;
    case ACKSENT: state = OPENED; break;
    case OPENED: send_request(); state = REQSENT; break;
    }
}

static void got_nak(void)
{
    switch (state) {
    case CLOSED:
    case STOPPED: transmit(TERMINATE_ACK); break;
    case REQSENT:
    case ACKSENT: send_request(); break;
    case ACKRCVD:
    case OPENED: send_request(); state = REQSENT; break;
    }
}

static void got_terminate_request(void)
{
    if (state < CLOSED)
        return;
    switch (state) {
    case ACKRCVD:
    case ACKSENT: state = REQSENT; break;
    case OPENED: retransmits = 0; state = STOPPING; break;
    }
    transmit(TERMINATE_ACK);
}

static void got_terminate_ack(void)
{
    switch (state) {
    case CLOSING: state = CLOSED; break;
    case STOPPING: state = STOPPED; break;
    case ACKRCVD: state = REQSENT; break;
    case OPENED:
        send_request();
        if (TAKES_BACK)
            state = REQSENT;
        break;
    }
}

static void got_reject(int fatal)
{
    if (!fatal) {
        if (state == ACKRCVD)
            state = REQSENT;
        return;
    }
    switch (state) {
    case CLOSING: state = CLOSED; break;
    case STOPPING:
    case REQSENT:
    case ACKRCVD:
    case ACKSENT: state = STOPPED; break;
    case OPENED: send_terminate(); state = STOPPING; break;
    }
}

static unsigned char implementation(unsigned char event)
{
    switch (event) {
    case UP: lower_up(); break;
    case DOWN: lower_down(); break;
    case OPEN: link_open(); break;
    case CLOSE: link_close(); break;
    case TIMEOUT: return timeout();
    case REQ_GOOD: got_request(1); break;
    case REQ_BAD: got_request(0); break;
    case ACK: got_ack(); break;
    case NAK: got_nak(); break;
    case TERM_REQ: got_terminate_request(); break;
    case TERM_ACK: got_terminate_ack(); break;
    case REJECT_OK: got_reject(0); break;
    case REJECT_FATAL: got_reject(1); break;
    case UNKNOWN_CODE: if (state >= CLOSED) transmit(CODE_REJ); break;
    case ECHO: if (state == OPENED) transmit(ECHO_REP); break;
    }
    return event;
}

/* ---------------------------------------------------------------------------------------------------------------- */
/* The specification: RFC 1661, section 4.1, one row for each event, one column for each state. */

static const unsigned char table[16][10] = {
    /*                 0  1  2  3  4  5  6  7  8  9 */
    [UP]           = { 2, 6, 2, 3, 4, 5, 6, 7, 8, 9 },
    [DOWN]         = { 0, 1, 0, 1, 0, 1, 1, 1, 1, 1 },
    [OPEN]         = { 1, 1, 6, 3, 5, 5, 6, 7, 8, 9 },
    [CLOSE]        = { 0, 0, 2, 2, 4, 4, 4, 4, 4, 4 },
    [TIMEOUT]      = { 0, 1, 2, 3, 4, 5, 6, 6, 8, 9 },
    [EXPIRED]      = { 0, 1, 2, 3, 2, 3, 3, 3, 3, 9 },
    [REQ_GOOD]     = { 0, 1, 2, 8, 4, 5, 8, 9, 8, 8 },
    [REQ_BAD]      = { 0, 1, 2, 6, 4, 5, 6, 7, 6, 6 },
    [ACK]          = { 0, 1, 2, 3, 4, 5, 7, 6, 9, 6 },
    [NAK]          = { 0, 1, 2, 3, 4, 5, 6, 6, 8, 6 },
    [TERM_REQ]     = { 0, 1, 2, 3, 4, 5, 6, 6, 6, 5 },
    [TERM_ACK]     = { 0, 1, 2, 3, 2, 3, 6, 6, 8, 6 },
    [UNKNOWN_CODE] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 },
    [REJECT_OK]    = { 0, 1, 2, 3, 4, 5, 6, 6, 8, 9 },
    [REJECT_FATAL] = { 0, 1, 2, 3, 2, 3, 3, 3, 3, 5 },
    [ECHO]         = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 },
};

/* ---------------------------------------------------------------------------------------------------------------- */
/* The peer: what it has promised, and what it says next. It answers a request with an acknowledgement or a refusal, a
   request to terminate with an acknowledgement, and now and then it begins something by itself. */

static unsigned char peer_is_open;

static unsigned char peer(void)
{
    unsigned char received = sent;
    sent = NOTHING;
    switch (received) {
    case CONF_REQ:
        if (__VERIFIER_nondet_uchar() % 2) {
            peer_is_open = 1;
            return ACK;
        }
        return NAK;
    case TERMINATE_REQ: peer_is_open = 0; return TERM_ACK;
    case CODE_REJ: return __VERIFIER_nondet_uchar() % 2 ? REJECT_OK : REJECT_FATAL;
    case CONF_ACK:
    case CONF_NAK:
    case TERMINATE_ACK:
    case ECHO_REP:
    case NOTHING: break;
    }
    switch (__VERIFIER_nondet_uchar() % 4) {
    case 0: return REQ_GOOD;
    case 1: return REQ_BAD;
    case 2: return peer_is_open ? ECHO : UNKNOWN_CODE;
    /* It has crashed, and thinks that it has been told to terminate. */
    default: peer_is_open = 0; return __VERIFIER_nondet_uchar() % 2 ? TERM_REQ : TERM_ACK;
    }
}

// ANCHOR: loop
int main(void)
{
    unsigned char expected = INITIAL;
    state = INITIAL;
    for (;;) {
        unsigned char event = __VERIFIER_nondet_uchar() % 6;
        if (event > TIMEOUT)
            event = peer();
        event = implementation(event);
        expected = table[event][expected];
        if (state != expected)
            differs();
    }
}
// ANCHOR_END: loop
