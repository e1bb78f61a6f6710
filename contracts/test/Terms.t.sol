// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TokenBoost} from "../TokenBoost.sol";
import {BoostTest, deployBoost} from "./BoostTest.t.sol";
import {PlainToken} from "./Tokens.t.sol";
import {vm} from "./Vm.t.sol";

contract TermsTest is BoostTest {
    function announce(uint256 price, uint256 duration) internal {
        vm.prank(OWNER);
        boost.announceTerms(price, duration);
    }

    function assertPending(uint256 price, uint256 duration, uint256 effectiveAt) internal view {
        (uint256 pendingPrice, uint256 pendingDuration, uint256 pendingAt) = boost.pendingTerms();
        vm.assertEq(pendingPrice, price);
        vm.assertEq(pendingDuration, duration);
        vm.assertEq(pendingAt, effectiveAt);
    }

    function test_theFirstTermsCountAtOnce() external view {
        vm.assertEq(boost.boostPrice(), 25_000_000);
        vm.assertEq(boost.boostDuration(), 86_400);
        vm.assertEq(boost.owner(), OWNER);
        vm.assertTrue(boost.isPaymentTokenAllowed(address(usdc)));
        assertPending(0, 0, 0);
    }

    function test_theRulesAreWritten() external view {
        vm.assertEq(boost.TERMS_DELAY(), 172_800);
        vm.assertEq(boost.LONG_PAUSE(), 604_800);
        vm.assertEq(boost.MAX_AHEAD(), 100);
        vm.assertEq(boost.MAX_PRICE(), 100_000_000_000);
        vm.assertEq(boost.MIN_DURATION(), 3_600);
        vm.assertEq(boost.MAX_DURATION(), 2_592_000);
    }

    function test_termsCountTwoDaysAfterTheyAreAnnounced() external {
        test_termsCountTwoDaysAfterTheyAreAnnounced(30_000_000, 7_200, 172_799);
    }

    function test_termsCountTwoDaysAfterTheyAreAnnounced(uint256 price, uint256 duration, uint256 later) public {
        price = between(price, 1, 100_000_000_000);
        duration = between(duration, 3_600, 2_592_000);
        later = between(later, 0, 172_799);
        vm.expectEmit(address(boost));
        emit TokenBoost.BoostPriceUpdated(25_000_000, price, 1_800_172_800);
        vm.expectEmit(address(boost));
        emit TokenBoost.BoostDurationUpdated(86_400, duration, 1_800_172_800);
        announce(price, duration);

        vm.warp(START + later);
        vm.assertEq(boost.boostPrice(), 25_000_000);
        vm.assertEq(boost.boostDuration(), 86_400);
        assertPending(price, duration, 1_800_172_800);

        vm.warp(START + 172_800);
        vm.assertEq(boost.boostPrice(), price);
        vm.assertEq(boost.boostDuration(), duration);
        assertPending(0, 0, 0);
    }

    function test_aPaymentIsMadeAtTheTermsInForce() external {
        announce(1_000_000, 3_600);
        pay(ALICE, coin);
        vm.warp(START + 172_800);
        pay(ALICE, other);
        vm.assertEq(usdc.balanceOf(ALICE), 9_974_000_000);
        vm.assertEq(boost.boostExpiration(address(coin)), 1_800_086_400);
        vm.assertEq(boost.boostExpiration(address(other)), 1_800_176_400);
    }

    function test_whatIsPaidKeepsItsTime() external {
        announce(1_000_000, 3_600);
        for (uint256 i = 0; i < 3; ++i) pay(ALICE, coin);
        vm.warp(START + 172_800);
        vm.assertEq(boost.boostExpiration(address(coin)), 1_800_259_200);
        pay(ALICE, coin);
        vm.assertEq(boost.boostExpiration(address(coin)), 1_800_262_800);
    }

    function test_aNewerAnnouncementReplacesOneThatWaits() external {
        announce(1_000_000, 3_600);
        vm.warp(START + 172_799);
        announce(2_000_000, 7_200);
        vm.warp(START + 345_598);
        vm.assertEq(boost.boostPrice(), 25_000_000);
        vm.warp(START + 345_599);
        vm.assertEq(boost.boostPrice(), 2_000_000);
        vm.assertEq(boost.boostDuration(), 7_200);
    }

    function test_anAnnouncementKeepsWhatIsInForceByThen() external {
        announce(1_000_000, 3_600);
        vm.warp(START + 172_800);
        announce(2_000_000, 7_200);
        vm.assertEq(boost.boostPrice(), 1_000_000);
        vm.assertEq(boost.boostDuration(), 3_600);
        assertPending(2_000_000, 7_200, 1_800_345_600);
    }

    function test_theBoundsOfThePriceAreAllowed() external {
        announce(1, 3_600);
        announce(100_000_000_000, 2_592_000);
        assertPending(100_000_000_000, 2_592_000, 1_800_172_800);
    }

    function test_revertsForAPriceOfNothing() external {
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.InvalidBoostPrice.selector, 0));
        announce(0, 3_600);
    }

    function test_revertsForAPriceOverTheBound() external {
        test_revertsForAPriceOverTheBound(100_000_000_001);
    }

    function test_revertsForAPriceOverTheBound(uint256 price) public {
        vm.assume(price > 100_000_000_000);
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.InvalidBoostPrice.selector, price));
        announce(price, 3_600);
    }

    function test_revertsForADurationUnderAnHour() external {
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.InvalidBoostDuration.selector, 3_599));
        announce(1, 3_599);
    }

    function test_revertsForADurationOverAMonth() external {
        test_revertsForADurationOverAMonth(2_592_001);
    }

    function test_revertsForADurationOverAMonth(uint256 duration) public {
        vm.assume(duration > 2_592_000);
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.InvalidBoostDuration.selector, duration));
        announce(1, duration);
    }

    function test_revertsForAnybodyButTheOwner() external {
        vm.expectRevert(notOwner(ALICE));
        vm.prank(ALICE);
        boost.announceTerms(1, 3_600);
    }

    function test_revertsForAFirstPriceOfNothing() external {
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.InvalidBoostPrice.selector, 0));
        deployBoost(OWNER, address(usdc), 0);
    }

    function test_revertsForAFirstPaymentTokenWithoutDecimals() external {
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.InvalidPaymentToken.selector, BOB));
        deployBoost(OWNER, BOB, 1);
    }

    function test_revertsWithoutAnOwner() external {
        vm.expectRevert(abi.encodeWithSignature("OwnableInvalidOwner(address)", address(0)));
        deployBoost(address(0), address(usdc), 1);
    }
}
