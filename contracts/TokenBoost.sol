// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";

/**
 * @title TokenBoost: a payment in a stablecoin shows a token among the boosted ones for a while.
 * @notice What payers can rely on, no matter who the owner is:
 * - A payment buys the duration in force when it is mined. Payments for one token run one after the other.
 * - A new price or duration is announced two days before it takes effect, and changes nothing that is already paid.
 * - While the contract is paused, boosts don't run down: each ends later by the length of the pause.
 * - A boost ends early only by removal, and removal refunds each payer the unused part of their payment.
 * - After seven days of pauses, in one or in several, a payer may end the boost and get the unused part back.
 * - The owner earns a payment only when its time has passed. Refunds can be claimed at any time, even during a pause.
 *
 * The owner can: pause, announce terms, choose which payment tokens are accepted from now on, remove a boost, withdraw earned
 * fees, and sweep tokens that belong to nobody. The owner cannot: shorten a boost without refunding it, take unearned fees or
 * refunds, change a payment, or withhold a refund.
 * @dev Boost times are on a clock that stops during pauses: seconds since 1970 minus all paused seconds. Views return wall-clock
 * times. Amounts are in the payment token's smallest unit, prices in millionths of a US dollar.
 * @dev Warning: a payment token counts as one US dollar, and must not change balances by itself. If one takes money out of the
 * contract (a rebase, a seizure), less is left than is owed, and those who claim first are paid. Other payment tokens are safe.
 * @dev Warning: a call pays the price in force when it is mined, up to what the caller has approved: approve exactly one price.
 */
contract TokenBoost is Ownable2Step, Pausable, ReentrancyGuard {
    using SafeERC20 for IERC20;

    /// @notice One payment for one token. Times are on the boost clock; `pausedBefore`: all paused seconds before the payment.
    struct Payment {
        address payer;
        uint48 start;
        uint48 end;
        address paymentToken;
        uint48 pausedBefore;
        uint256 amount;
    }

    struct Terms {
        uint128 price;
        uint48 duration;
        uint48 effectiveAt;
    }

    struct PaymentToken {
        bool allowed;
        uint8 decimals;
    }

    /// @notice From an announcement of terms until they take effect.
    uint256 public constant TERMS_DELAY = 2 days;
    /// @notice Seconds of pauses after which a payer may end the boost.
    uint256 public constant LONG_PAUSE = 7 days;
    /// @notice The most unfinished payments of one token. It limits the loops of every call.
    uint256 public constant MAX_AHEAD = 100;
    /// @notice In millionths of a US dollar.
    uint256 public constant MAX_PRICE = 100_000e6;
    uint256 public constant MIN_DURATION = 1 hours;
    uint256 public constant MAX_DURATION = 30 days;
    uint256 public constant PRICE_DECIMALS = 6;
    uint256 public constant MAX_DECIMALS = 36;

    /// @notice All of a payment token that the contract owes: unearned payments, earned fees and refunds.
    mapping(address paymentToken => uint256) public held;
    /// @notice What the owner may withdraw, without payments that have ended since a token was last settled.
    mapping(address paymentToken => uint256) public earnedFees;
    /// @notice What a payer may claim.
    mapping(address payer => mapping(address paymentToken => uint256)) public refundOf;

    mapping(address token => Payment[]) private _payments;
    /// @dev How many of a token's payments are finished: earned, or removed.
    mapping(address token => uint256) private _settled;
    /// @dev The end of a token's last payment; 0 if there is none, or it was removed.
    mapping(address token => uint256) private _end;
    mapping(address paymentToken => PaymentToken) private _paymentTokens;
    Terms private _terms;
    Terms private _nextTerms;
    uint256 private _pausedSince;
    uint256 private _pausedTotal;

    event TokenBoosted(address indexed token, address indexed payer, uint256 expiresAt);
    event PaymentReceived(address indexed token, address indexed payer, address indexed paymentToken, uint256 amount);
    event BoostRemoved(address indexed token, address indexed by);
    event RefundAdded(address indexed token, address indexed payer, address indexed paymentToken, uint256 amount);
    event RefundClaimed(address indexed payer, address indexed paymentToken, uint256 amount);
    event BoostPriceUpdated(uint256 oldPrice, uint256 newPrice, uint256 effectiveAt);
    event BoostDurationUpdated(uint256 oldDuration, uint256 newDuration, uint256 effectiveAt);
    event PaymentTokenUpdated(address indexed paymentToken, bool allowed, uint256 decimals);
    event FeesWithdrawn(address indexed paymentToken, address indexed to, uint256 amount);
    event TokensSwept(address indexed token, address indexed to, uint256 amount);

    error InsufficientPayment(uint256 received, uint256 required);
    error InvalidBoostPrice(uint256 price);
    error InvalidBoostDuration(uint256 duration);
    error InvalidTokenAddress(address token);
    error InvalidPaymentToken(address paymentToken);
    error PaymentTokenNotAllowed(address paymentToken);
    error TooManyPaymentsAhead(address token);
    error NotBoosted(address token);
    error NoLongPause(address token, address payer);
    error NoFeesToWithdraw(address paymentToken);
    error NoRefundToClaim(address payer, address paymentToken);
    error NoTokensToSweep(address token);
    error WithdrawFailed(address token, uint256 amount);

    /**
     * @param owner_ the owner, who may do what is listed above
     * @param paymentToken the first accepted payment token, usually USDC
     * @param price in millionths of a US dollar; in force at once, for 24 hours a payment
     */
    constructor(address owner_, address paymentToken, uint256 price) Ownable(owner_) {
        _setTerms(price, 1 days, block.timestamp);
        _setPaymentToken(paymentToken, true);
    }

    /**
     * @notice Pays for one more duration of `token`: from now, or from the end of what is already paid.
     * @param token the token to boost; anyone may pay for any token
     * @param paymentToken an allowed one; the contract takes exactly `paymentAmount(paymentToken)` from the caller
     */
    function boostToken(address token, address paymentToken) external nonReentrant whenNotPaused {
        if (token.code.length == 0) revert InvalidTokenAddress(token);
        uint256 amount = paymentAmount(paymentToken);
        _settle(token);
        Payment[] storage payments = _payments[token];
        if (payments.length - _settled[token] == MAX_AHEAD) revert TooManyPaymentsAhead(token);

        uint256 start = Math.max(_now(), _end[token]);
        uint256 end = start + boostDuration();
        uint256 paused_ = pausedTime();
        payments.push(Payment(msg.sender, uint48(start), uint48(end), paymentToken, uint48(paused_), amount));
        _end[token] = end;
        held[paymentToken] += amount;
        emit TokenBoosted(token, msg.sender, end + paused_);
        emit PaymentReceived(token, msg.sender, paymentToken, amount);

        uint256 before = _balance(paymentToken);
        IERC20(paymentToken).safeTransferFrom(msg.sender, address(this), amount);
        uint256 received = Math.saturatingSub(_balance(paymentToken), before);
        if (received < amount) revert InsufficientPayment(received, amount);
    }

    /**
     * @notice Ends the boost of `token` and refunds the unused time to all payers. Only a payer may call it, once pauses since
     * their own unfinished payment add up to seven days.
     */
    function refundAfterLongPause(address token) external nonReentrant {
        _settle(token);
        Payment[] storage payments = _payments[token];
        for (uint256 i = _settled[token]; i < payments.length; ++i) {
            if (payments[i].payer != msg.sender) continue;
            // Later payments of the caller have seen less.
            if (pausedTime() - payments[i].pausedBefore < LONG_PAUSE) break;
            return _removeBoost(token);
        }
        revert NoLongPause(token, msg.sender);
    }

    /// @notice Sends the caller all of their refunds in this payment token. Works during a pause, and with any owner.
    function claimRefund(address paymentToken) external nonReentrant {
        uint256 amount = refundOf[msg.sender][paymentToken];
        if (amount == 0) revert NoRefundToClaim(msg.sender, paymentToken);
        refundOf[msg.sender][paymentToken] = 0;
        held[paymentToken] -= amount;
        emit RefundClaimed(msg.sender, paymentToken, amount);
        _send(paymentToken, amount);
    }

    /**
     * @notice Announces a price and a duration for payments made two days from now or later. They replace an announcement that
     * is not in force yet. To cancel one, announce the terms in force.
     * @param price in millionths of a US dollar
     * @param duration in seconds
     */
    function announceTerms(uint256 price, uint256 duration) external onlyOwner {
        uint256 effectiveAt = block.timestamp + TERMS_DELAY;
        emit BoostPriceUpdated(boostPrice(), price, effectiveAt);
        emit BoostDurationUpdated(boostDuration(), duration, effectiveAt);
        _setTerms(price, duration, effectiveAt);
    }

    /**
     * @notice Accepts a payment token from now on, or no longer. Payments already made in it stay valid.
     * @dev Reads the token's decimals only here. Warning: if the token changes them later, its price is wrong.
     */
    function setPaymentToken(address paymentToken, bool allowed) external onlyOwner {
        _setPaymentToken(paymentToken, allowed);
    }

    /**
     * @notice Sends the owner all earned fees in this payment token.
     * @param tokens boosted tokens whose ended payments are settled first: as many as fit a block, with at most 100 payments each
     */
    function withdrawFees(address paymentToken, address[] calldata tokens) external onlyOwner nonReentrant {
        for (uint256 i = 0; i < tokens.length; ++i) _settle(tokens[i]);
        uint256 amount = earnedFees[paymentToken];
        if (amount == 0) revert NoFeesToWithdraw(paymentToken);
        earnedFees[paymentToken] = 0;
        held[paymentToken] -= amount;
        emit FeesWithdrawn(paymentToken, msg.sender, amount);
        _send(paymentToken, amount);
    }

    /// @notice Ends the boost of `token` now and refunds the unused time to its payers. The owner earns the used part of the
    /// running payment.
    function emergencyRemoveBoost(address token) external onlyOwner nonReentrant {
        _settle(token);
        _removeBoost(token);
    }

    /// @notice Sends the owner tokens that are here by mistake: of a payment token only what exceeds `held`.
    function sweep(address token) external onlyOwner nonReentrant {
        uint256 amount = Math.saturatingSub(_balance(token), held[token]);
        if (amount == 0) revert NoTokensToSweep(token);
        emit TokensSwept(token, msg.sender, amount);
        _send(token, amount);
    }

    /// @notice Stops payments and the boost clock. Refunds can still be claimed.
    function pause() external onlyOwner {
        _pausedSince = block.timestamp;
        _pause();
    }

    function unpause() external onlyOwner {
        _pausedTotal = pausedTime();
        _unpause();
    }

    /// @notice Leaves the contract without an owner: terms and fees stay permanently. Not during a pause, which nobody could end.
    function renounceOwnership() public override onlyOwner whenNotPaused {
        _transferOwnership(address(0));
    }

    /// @notice The price in force, in millionths of a US dollar.
    function boostPrice() public view returns (uint256) {
        return _inForce().price;
    }

    /// @notice The duration in force, in seconds.
    function boostDuration() public view returns (uint256) {
        return _inForce().duration;
    }

    /// @notice Announced terms that are not in force yet; zeros if there are none.
    function pendingTerms() external view returns (uint256 price, uint256 duration, uint256 effectiveAt) {
        if (_nextTerms.effectiveAt <= block.timestamp) return (0, 0, 0);
        return (_nextTerms.price, _nextTerms.duration, _nextTerms.effectiveAt);
    }

    /// @notice The price of a boost in this payment token's smallest unit, rounded up.
    function paymentAmount(address paymentToken) public view returns (uint256) {
        PaymentToken memory found = _paymentTokens[paymentToken];
        if (!found.allowed) revert PaymentTokenNotAllowed(paymentToken);
        return Math.ceilDiv(boostPrice() * 10 ** found.decimals, 10 ** PRICE_DECIMALS);
    }

    function isPaymentTokenAllowed(address paymentToken) external view returns (bool) {
        return _paymentTokens[paymentToken].allowed;
    }

    /**
     * @notice When the boost of `token` ends, in seconds since 1970: in the past if it has ended, 0 if there was none or it was
     * removed. During a pause it moves by one second each second.
     */
    function boostExpiration(address token) public view returns (uint256) {
        if (_end[token] == 0) return 0;
        return _end[token] + pausedTime();
    }

    /// @notice Seconds that the boost of `token` still runs. They don't decrease during a pause.
    function remainingTime(address token) external view returns (uint256) {
        return Math.saturatingSub(_end[token], _now());
    }

    /// @notice For each token whether it is boosted now, and its `boostExpiration`.
    function getBatchBoostStatus(address[] calldata tokens)
        external
        view
        returns (bool[] memory boosted, uint256[] memory expirations)
    {
        boosted = new bool[](tokens.length);
        expirations = new uint256[](tokens.length);
        for (uint256 i = 0; i < tokens.length; ++i) {
            boosted[i] = _end[tokens[i]] > _now();
            expirations[i] = boostExpiration(tokens[i]);
        }
    }

    /// @notice Every payment ever made for `token`, and how many of them are finished: earned or removed.
    function paymentsOf(address token) external view returns (Payment[] memory payments, uint256 settled) {
        return (_payments[token], _settled[token]);
    }

    /// @notice All seconds during which the contract was paused.
    function pausedTime() public view returns (uint256 time) {
        time = _pausedTotal;
        if (paused()) time += block.timestamp - _pausedSince;
    }

    /// @dev The boost clock.
    function _now() private view returns (uint256) {
        return block.timestamp - pausedTime();
    }

    function _inForce() private view returns (Terms memory) {
        if (_nextTerms.effectiveAt <= block.timestamp) return _nextTerms;
        return _terms;
    }

    function _setTerms(uint256 price, uint256 duration, uint256 effectiveAt) private {
        if (price == 0 || price > MAX_PRICE) revert InvalidBoostPrice(price);
        if (duration < MIN_DURATION || duration > MAX_DURATION) revert InvalidBoostDuration(duration);
        _terms = _inForce();
        _nextTerms = Terms(uint128(price), uint48(duration), uint48(effectiveAt));
    }

    function _setPaymentToken(address paymentToken, bool allowed) private {
        uint8 decimals;
        if (allowed) {
            bool known;
            (known, decimals) = IERC20(paymentToken).tryGetDecimals();
            if (!known || decimals > MAX_DECIMALS) revert InvalidPaymentToken(paymentToken);
        }
        _paymentTokens[paymentToken] = PaymentToken(allowed, decimals);
        emit PaymentTokenUpdated(paymentToken, allowed, decimals);
    }

    /// @dev Counts payments of `token` whose time has passed as earned.
    function _settle(address token) private {
        Payment[] storage payments = _payments[token];
        uint256 i = _settled[token];
        uint256 now_ = _now();
        for (; i < payments.length && payments[i].end <= now_; ++i) {
            earnedFees[payments[i].paymentToken] += payments[i].amount;
        }
        _settled[token] = i;
    }

    /// @dev Ends a settled token's boost. The earned part of a payment is rounded down, so the payer gets the odd unit.
    function _removeBoost(address token) private {
        Payment[] storage payments = _payments[token];
        if (_settled[token] == payments.length) revert NotBoosted(token);
        uint256 now_ = _now();
        for (uint256 i = _settled[token]; i < payments.length; ++i) {
            Payment memory payment = payments[i];
            uint256 used = Math.saturatingSub(now_, payment.start);
            uint256 earned = payment.amount * used / (payment.end - payment.start);
            uint256 refund = payment.amount - earned;
            earnedFees[payment.paymentToken] += earned;
            refundOf[payment.payer][payment.paymentToken] += refund;
            emit RefundAdded(token, payment.payer, payment.paymentToken, refund);
        }
        _settled[token] = payments.length;
        _end[token] = 0;
        emit BoostRemoved(token, msg.sender);
    }

    /// @dev Sends the caller an amount. Reverts if the token takes more than that out of the contract.
    function _send(address token, uint256 amount) private {
        uint256 before = _balance(token);
        bool sent = IERC20(token).trySafeTransfer(msg.sender, amount);
        if (!sent || _balance(token) + amount < before) revert WithdrawFailed(token, amount);
    }

    function _balance(address token) private view returns (uint256) {
        return IERC20(token).balanceOf(address(this));
    }
}
